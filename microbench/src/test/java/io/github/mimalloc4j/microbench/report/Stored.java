package io.github.mimalloc4j.microbench.report;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Results in the test resources. The numbers in them were made up, but those in {@code
 * end-to-end.json} and {@code footprint.json}, which are of two short runs.
 */
final class Stored {
  private Stored() {}

  static Path file(String name) {
    URL url = Objects.requireNonNull(Stored.class.getResource(name), name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
