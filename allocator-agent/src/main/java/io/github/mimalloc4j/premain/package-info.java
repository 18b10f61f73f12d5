/**
 * {@code -javaagent:allocator-agent-<version>.jar}: the only classes of the library on the class
 * path of an application started with the agent.
 */
@NullMarked
package io.github.mimalloc4j.premain;

import org.jspecify.annotations.NullMarked;
