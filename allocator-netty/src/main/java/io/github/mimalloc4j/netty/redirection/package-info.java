/** What changed classes of Netty and Vert.x call, and the trial whether the library works. */
@NullMarked
package io.github.mimalloc4j.netty.redirection;

import org.jspecify.annotations.NullMarked;
