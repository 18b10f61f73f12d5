/** The options of allocators: system properties, and the checked settings of one allocator. */
@NullMarked
package io.github.mimalloc4j.netty.options;

import org.jspecify.annotations.NullMarked;
