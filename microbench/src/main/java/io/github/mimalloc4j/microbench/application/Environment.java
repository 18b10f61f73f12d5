package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBufAllocator;

/**
 * What an application runs on.
 *
 * @param allocator for all of the server's connections and their streams; each application sets it
 *     as a user would
 * @param eventLoops how many the server has, from 1
 */
public record Environment(ByteBufAllocator allocator, Transport transport, int eventLoops) {}
