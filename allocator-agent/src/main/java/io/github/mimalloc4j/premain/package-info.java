/**
 * {@code -javaagent:allocator-agent-<version>.jar}: all that is on the class path of an application
 * that is started with the agent.
 */
@NullMarked
package io.github.mimalloc4j.premain;

import org.jspecify.annotations.NullMarked;
