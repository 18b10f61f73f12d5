/**
 * How Netty is made to ask for our allocator: the one changed entry in the constant pool of its
 * class {@code ByteBufUtil}, and the checks that come before.
 *
 * <p>Knows Netty's types by name only, and nothing of the rest of the library: the agent runs it
 * where Netty may not be visible.
 */
@NullMarked
package io.github.mimalloc4j.activation;

import org.jspecify.annotations.NullMarked;
