package io.github.mimalloc4j.microbench.page;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Text files on the class path. */
final class Resource {
  private Resource() {}

  /** Reads a whole file, by its path or by its name beside a class. */
  static String read(Class<?> beside, String name) {
    try (@Nullable InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("resource " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
