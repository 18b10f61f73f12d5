package io.github.mimalloc4j.netty.fuzzing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Inputs that once failed a fuzz test, in the folder where Jazzer looks for them, too. */
final class SavedInputs {

  private SavedInputs() {}

  static List<Path> of(Class<?> test) {
    URL folder = test.getResource(test.getSimpleName() + "Inputs");
    if (folder == null) {
      throw new AssertionError("there is no folder of saved inputs");
    }
    try (Stream<Path> files = Files.walk(Path.of(folder.toURI()))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
