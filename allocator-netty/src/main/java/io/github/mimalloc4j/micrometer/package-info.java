/**
 * Figures for Micrometer. Loaded by nothing but the application that uses it, and brings
 * Micrometer.
 */
@NullMarked
package io.github.mimalloc4j.micrometer;

import org.jspecify.annotations.NullMarked;
