/**
 * Events for JDK Flight Recorder. These classes must not be loaded where the JDK has none.
 *
 * <p>Five events have the names and fields of Netty's own events, whose classes cannot be used from
 * outside Netty. Flight Recorder identifies event types by class, while tools identify them by
 * name. Both types are therefore recorded side by side, and a tool that selects, prints or sums one
 * of them finds the other, too. The field {@code allocatorType} distinguishes them. Like Netty's
 * events, the five are off unless a recording enables them. The library's other events are rare, or
 * come every ten seconds, and are on in every recording.
 *
 * <p>Until a recording enables an event, {@code isEnabled()} returns a constant, and compiled code
 * has neither a branch nor a load for the event.
 *
 * <p>The methods are deliberately simple: Flight Recorder rewrites these classes, and in JDK 17 it
 * fails on a {@code try} statement.
 */
@NullMarked
package io.github.mimalloc4j.netty.jfr;

import org.jspecify.annotations.NullMarked;
