/**
 * The debugging options: guards that check releases, erase bytes and detect invalid writes. Nothing
 * in this package is loaded while these options are off.
 *
 * <p>Other packages use {@code GuardedHeaps} in place of {@code ThreadHeaps}, and implement {@code
 * MisuseListener} to receive findings.
 */
@NullMarked
package io.github.mimalloc4j.netty.debugging;

import org.jspecify.annotations.NullMarked;
