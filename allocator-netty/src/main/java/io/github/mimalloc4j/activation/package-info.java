/**
 * Makes Netty use this library's allocator: changes entries in the constant pool of Netty's class
 * {@code ByteBufUtil}, after checking the class ({@link ByteBufUtilPatch}). Changes classes of
 * Vert.x and Quarkus that would not work with it, or would not use it ({@link VertxPatch}).
 *
 * <p>This package refers to Netty's types by name only, and to nothing else in the library, because
 * the agent runs it where Netty may not be visible.
 *
 * <p>This package reads class files itself, in about 400 lines ({@link ClassFile}, {@link
 * MethodCode}). ASM 9.10.1, relocated into the jar, was tried instead. It saves these lines, but
 * about 50 come back in the build and as ASM's licence. Its disadvantages:
 *
 * <ul>
 *   <li>The jar grows from 219 to 389 KB, by 75 classes. The agent defines the library's classes in
 *       every class loader that has Netty, and would define these too.
 *   <li>The agent loads 59 more classes before {@code main}.
 *   <li>maven-shade-plugin drops {@code module-info} from the jar. Another plugin would have to
 *       write one that does not require ASM's modules, as the compiled one must.
 *   <li>ASM rejects class files of a version that it does not know. This reader ignores the
 *       version.
 * </ul>
 */
@NullMarked
package io.github.mimalloc4j.activation;

import org.jspecify.annotations.NullMarked;
