/** The listener that Spring Boot finds through {@code META-INF/spring.factories}. */
@NullMarked
package io.github.mimalloc4j.spring;

import org.jspecify.annotations.NullMarked;
