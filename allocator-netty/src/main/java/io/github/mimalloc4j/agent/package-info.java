/**
 * Activation without a line of code: the agent proper, which {@code
 * -javaagent:allocator-agent-<version>.jar} loads from the library within it if the property is
 * set.
 *
 * <p>The library's jar can be named as agent, too. Then it is on the system class path, while Netty
 * may be in a class loader below, as in an executable Spring Boot jar. So this package names no
 * type of Netty's and none of the library that would link one.
 */
@NullMarked
package io.github.mimalloc4j.agent;

import org.jspecify.annotations.NullMarked;
