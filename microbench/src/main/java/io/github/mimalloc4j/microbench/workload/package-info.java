/** What programs do: the sizes that they ask for, and the threads that they allocate on. */
@NullMarked
package io.github.mimalloc4j.microbench.workload;

import org.jspecify.annotations.NullMarked;
