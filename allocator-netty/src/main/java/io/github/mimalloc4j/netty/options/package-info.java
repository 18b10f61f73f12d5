/**
 * What an allocator can be told: the system properties, and the checked settings of one allocator.
 */
@NullMarked
package io.github.mimalloc4j.netty.options;

import org.jspecify.annotations.NullMarked;
