/**
 * How Netty is made to ask for our allocator: the changed entries in the constant pool of its class
 * {@code ByteBufUtil}, and the checks that come before.
 *
 * <p>Knows Netty's types by name only, and nothing of the rest of the library: the agent runs it
 * where Netty may not be visible.
 *
 * <p>This package reads class files itself, in 345 lines ({@link ClassFile}, {@link MethodCode}).
 * ASM 9.10.1, relocated into the jar, was tried in their place. It saves these lines, of which some
 * 50 come back in the build and as its licence. Against it:
 *
 * <ul>
 *   <li>The jar grows from 219 to 389 KB, by 75 classes. The agent defines the library's classes in
 *       every class loader that has Netty, so these too.
 *   <li>The agent loads 59 more classes before {@code main}.
 *   <li>maven-shade-plugin drops {@code module-info} from the jar. Another plugin would have to
 *       write one that does not require ASM's modules, as the compiled one must.
 *   <li>ASM refuses class files of a version that it does not know. This reader does not look at
 *       the version.
 * </ul>
 */
@NullMarked
package io.github.mimalloc4j.activation;

import org.jspecify.annotations.NullMarked;
