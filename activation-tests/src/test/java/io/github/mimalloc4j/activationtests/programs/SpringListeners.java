package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Creates the listeners that jars name for Spring Boot, as it does when it starts. */
public final class SpringListeners {

  private SpringListeners() {}

  @SuppressWarnings("rawtypes") // as they are named
  public static void main(String[] args) {
    List<ApplicationListener> listeners =
        SpringFactoriesLoader.loadFactories(ApplicationListener.class, null);
    for (ApplicationListener each : listeners) {
      Report.value("listener", each.getClass().getSimpleName());
    }
    Report.allocator("default", ByteBufAllocator.DEFAULT);
  }
}
