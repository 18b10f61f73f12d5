/** The JVMs that measure: how they are started and watched, and the flags that all of them have. */
@NullMarked
package io.github.mimalloc4j.microbench.jvm;

import org.jspecify.annotations.NullMarked;
