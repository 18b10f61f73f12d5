/** The command {@code http-server}: a real server, to put under load with any allocator. */
@NullMarked
package io.github.mimalloc4j.microbench.http;

import org.jspecify.annotations.NullMarked;
