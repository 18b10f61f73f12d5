/** The command {@code http-server}: an HTTP server to load with any allocator. */
@NullMarked
package io.github.mimalloc4j.microbench.http;

import org.jspecify.annotations.NullMarked;
