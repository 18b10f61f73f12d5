/**
 * What a program did with its buffers, as Flight Recorder has recorded it, and the file in which
 * that is kept.
 *
 * <p>{@link io.github.mimalloc4j.microbench.trace.Trace} makes a {@link
 * io.github.mimalloc4j.microbench.trace.TraceFile} of a recording, in four steps: events are read
 * as numbers, put in the order of time, made into the lives of buffers, and written as {@link
 * io.github.mimalloc4j.microbench.trace.TraceOperation operations} of <em>lanes</em>, each of which
 * stands for one recorded thread, or for several that came one after the other. The file's {@link
 * io.github.mimalloc4j.microbench.trace.TraceSummary} tells what was found, and what the recording
 * does not tell.
 */
@NullMarked
package io.github.mimalloc4j.microbench.trace;

import org.jspecify.annotations.NullMarked;
