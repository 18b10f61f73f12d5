package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.List;

/**
 * All that one run of the command found out.
 *
 * @param setup what it was measured with
 * @param load the same for all servers
 * @param rounds in the order of measuring
 * @param summary all figures of all allocators; it follows from the rounds
 */
public record EndToEndResults(
    Setup setup, LoadDescription load, List<Round> rounds, List<Summary> summary) {
  /** The command's files. */
  public static final FileFormat<EndToEndResults> FORMAT =
      new FileFormat<>("mimalloc4j end-to-end 2", EndToEndResults.class, EndToEndReport::new);

  EndToEndResults(Setup setup, LoadDescription load, List<Round> rounds) {
    this(setup, load, rounds, Summary.of(rounds));
  }
}
