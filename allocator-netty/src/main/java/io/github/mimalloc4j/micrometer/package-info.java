/** Figures for Micrometer. Loaded only by applications that use it and provide Micrometer. */
@NullMarked
package io.github.mimalloc4j.micrometer;

import org.jspecify.annotations.NullMarked;
