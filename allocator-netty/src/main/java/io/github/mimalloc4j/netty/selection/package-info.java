/** What Netty's {@code ByteBufUtil} calls once the library is activated. */
@NullMarked
package io.github.mimalloc4j.netty.selection;

import org.jspecify.annotations.NullMarked;
