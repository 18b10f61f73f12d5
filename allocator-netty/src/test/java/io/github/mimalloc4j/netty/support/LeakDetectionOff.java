package io.github.mimalloc4j.netty.support;

import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A sampled buffer comes in a wrapper, and the wrapper allocates: tests of our own see through. */
public final class LeakDetectionOff implements BeforeAllCallback, AfterAllCallback {

  private ResourceLeakDetector.Level before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    ResourceLeakDetector.setLevel(before);
  }
}
