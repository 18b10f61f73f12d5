/**
 * Activation without a change to the application: the agent proper, which {@code
 * -javaagent:allocator-agent-<version>.jar} loads from its nested library if the property is set.
 *
 * <p>The library's own jar can also be used as agent. It is then on the system class path, while
 * Netty may be in a class loader below, as in an executable Spring Boot jar. This package therefore
 * refers to no type of Netty, and to none of the library that would link one.
 */
@NullMarked
package io.github.mimalloc4j.agent;

import org.jspecify.annotations.NullMarked;
