/**
 * Documents of results: text, tables and charts in one file that needs no network.
 *
 * <p>A {@link io.github.mimalloc4j.microbench.page.Document} is put together from {@link
 * io.github.mimalloc4j.microbench.page.Table}s and {@link
 * io.github.mimalloc4j.microbench.page.Chart}s. The Java code here says what is shown, {@code
 * page.js} and {@code page.css} say how.
 */
@NullMarked
package io.github.mimalloc4j.microbench.page;

import org.jspecify.annotations.NullMarked;
