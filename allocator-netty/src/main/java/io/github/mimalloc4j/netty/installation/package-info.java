/** Activation from within the application: by {@code MiMalloc.install()} and in Spring Boot. */
@NullMarked
package io.github.mimalloc4j.netty.installation;

import org.jspecify.annotations.NullMarked;
