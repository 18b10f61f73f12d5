/**
 * Web pages for results: text, tables and charts in one file that needs no network.
 *
 * <p>{@link io.github.mimalloc4j.microbench.page.HtmlPage} is put together from {@link
 * io.github.mimalloc4j.microbench.page.Table}s and {@link
 * io.github.mimalloc4j.microbench.page.Chart}s. Nothing here knows what is measured.
 */
@NullMarked
package io.github.mimalloc4j.microbench.page;

import org.jspecify.annotations.NullMarked;
