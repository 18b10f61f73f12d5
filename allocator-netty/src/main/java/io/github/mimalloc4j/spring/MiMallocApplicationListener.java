package io.github.mimalloc4j.spring;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.installation.Installation;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Activates the allocator in a Spring Boot application if {@code
 * -Dio.netty.allocator.type=mimalloc} is set.
 *
 * <p>Spring Boot creates its listeners before it starts anything else, including Netty. The
 * constructor therefore does the work.
 */
public final class MiMallocApplicationListener implements ApplicationListener<ContextClosedEvent> {

  /** Called by Spring Boot. */
  public MiMallocApplicationListener() {
    if (Selection.isMiMalloc()) {
      Installation.activate();
    }
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {}
}
