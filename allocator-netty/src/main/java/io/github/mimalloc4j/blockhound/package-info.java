/**
 * What BlockHound has to know of the library. Loaded only in applications that use this package or
 * run BlockHound.
 */
@NullMarked
package io.github.mimalloc4j.blockhound;

import org.jspecify.annotations.NullMarked;
