/** The extension for {@code -Dio.netty.bootstrap.extensions=serviceload}. */
@NullMarked
package io.github.mimalloc4j.bootstrap;

import org.jspecify.annotations.NullMarked;
