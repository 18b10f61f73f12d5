/**
 * The debugging options: guards that check releases, erase bytes, detect invalid writes and sample
 * live buffers. Nothing in this package is loaded while these options are off.
 *
 * <p>Other packages use {@code GuardedHeaps} in place of {@code ThreadHeaps}, read the profile of
 * {@code LiveBuffers}, and implement {@code MisuseListener} to receive findings.
 */
@NullMarked
package io.github.mimalloc4j.netty.debugging;

import org.jspecify.annotations.NullMarked;
