/** What Netty's {@code ByteBufUtil} uses once the library is activated. */
@NullMarked
package io.github.mimalloc4j.netty.selection;

import org.jspecify.annotations.NullMarked;
