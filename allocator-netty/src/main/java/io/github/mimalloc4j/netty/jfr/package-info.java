/**
 * Events for JDK Flight Recorder. Nothing here may be loaded where the JDK has none.
 *
 * <p>Five have the names and the fields of Netty's own, whose classes nobody else can use. Flight
 * Recorder tells event types apart by their classes, and everybody else goes by names: both are
 * recorded side by side, and what selects, prints or adds up one finds the other as well. {@code
 * allocatorType} says whose an event is. As Netty's they are off unless a recording asks for them.
 * Those of the library's own are rare, and on in every recording.
 *
 * <p>As long as no recording runs that has an event, Flight Recorder leaves its class as it was
 * compiled, {@code isEnabled()} returns a constant, and compiled code has neither a branch nor a
 * load for it.
 *
 * <p>Their methods are simple for a reason: Flight Recorder rewrites these classes, and that of JDK
 * 17 fails on a {@code try} statement.
 */
@NullMarked
package io.github.mimalloc4j.netty.jfr;

import org.jspecify.annotations.NullMarked;
