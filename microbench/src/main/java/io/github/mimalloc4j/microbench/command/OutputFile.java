package io.github.mimalloc4j.microbench.command;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of an output file. Checks that it can be written before a command measures for
 * minutes, rather than afterwards.
 */
public final class OutputFile implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    Path file = Path.of(text);
    Path folder = file.toAbsolutePath().getParent();
    boolean possible =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!possible) {
      throw new TypeConversionException("'" + text + "' cannot be written");
    }
    return file;
  }
}
