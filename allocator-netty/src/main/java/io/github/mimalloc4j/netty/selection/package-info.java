/** What changed classes of Netty and Vert.x call, and the trial whether the library works. */
@NullMarked
package io.github.mimalloc4j.netty.selection;

import org.jspecify.annotations.NullMarked;
