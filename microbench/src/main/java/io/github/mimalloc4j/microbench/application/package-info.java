/**
 * The applications that the command {@code end-to-end} measures: servers written as usual with the
 * public API of Netty or of a framework, and clients that load them and check all answers.
 *
 * <p>An {@link io.github.mimalloc4j.microbench.application.Application} starts a server in an
 * {@link io.github.mimalloc4j.microbench.application.Environment}, which says what it runs on; the
 * allocator is set as a user would set it. A {@link
 * io.github.mimalloc4j.microbench.application.Workload} is one kind of traffic of an application: a
 * server, a {@link io.github.mimalloc4j.microbench.application.Connector} of clients, and how many
 * requests each of these has under way. {@link
 * io.github.mimalloc4j.microbench.application.Workloads} lists all of them, so that a new one is a
 * class with a method {@code workloads()} and a line in that list.
 *
 * <p>Servers and clients run in different JVMs. A client does not know what the load is: whether
 * the next request follows the last answer or a clock is the caller's matter.
 */
@NullMarked
package io.github.mimalloc4j.microbench.application;

import org.jspecify.annotations.NullMarked;
