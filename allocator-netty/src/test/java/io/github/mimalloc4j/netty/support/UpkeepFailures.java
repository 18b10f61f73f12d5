package io.github.mimalloc4j.netty.support;

import java.util.logging.LogRecord;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets a test fail if upkeep failed meanwhile, which is only logged. */
public final class UpkeepFailures implements BeforeEachCallback, AfterEachCallback {

  private static final String LOGGED = "Unused memory may not have been given back";

  private AllocatorLog log;

  @Override
  public void beforeEach(ExtensionContext context) {
    log = new AllocatorLog();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    log.close();
    AssertionError error = null;
    for (LogRecord entry : log.records()) {
      if (entry.getMessage().startsWith(LOGGED)) {
        if (error == null) {
          error = new AssertionError("upkeep failed: " + entry.getThrown(), entry.getThrown());
        } else {
          error.addSuppressed(entry.getThrown());
        }
      }
    }
    if (error != null) {
      throw error;
    }
  }
}
