/** Meters for Micrometer. Loaded only in applications that use this package and have Micrometer. */
@NullMarked
package io.github.mimalloc4j.micrometer;

import org.jspecify.annotations.NullMarked;
