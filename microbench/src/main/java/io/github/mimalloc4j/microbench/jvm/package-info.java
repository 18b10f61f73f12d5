/** The JVMs that measure: how they are started and watched, their flags, their memory. */
@NullMarked
package io.github.mimalloc4j.microbench.jvm;

import org.jspecify.annotations.NullMarked;
