/** What the programs of this module have in common: the threads that they allocate on. */
@NullMarked
package io.github.mimalloc4j.microbench.workload;

import org.jspecify.annotations.NullMarked;
