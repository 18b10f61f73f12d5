/**
 * {@code -javaagent:allocator-netty-<version>.jar}: activation without a line of code.
 *
 * <p>The agent's jar is on the system class path, while Netty may be in a class loader below, as in
 * an executable Spring Boot jar. So this package names no type of Netty's and none of the library
 * that would link one.
 */
@NullMarked
package io.github.mimalloc4j.agent;

import org.jspecify.annotations.NullMarked;
