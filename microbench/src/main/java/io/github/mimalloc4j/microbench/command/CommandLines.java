package io.github.mimalloc4j.microbench.command;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import java.lang.reflect.AnnotatedElement;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Parses command lines and reports failures.
 *
 * <p>A failure is reported in one line; the output of a process that the command started may
 * follow. Exit codes: 0 for success, 1 if the command failed, 2 for an invalid command line.
 */
public final class CommandLines {
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;

  /** In columns: descriptions are split into lines that fit. */
  private static final int HELP_WIDTH = 100;

  private CommandLines() {}

  /** Creates a command line for an annotated object and its subcommands. */
  public static CommandLine of(Object command) {
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(HELP_WIDTH)
        .registerConverter(Allocators.class, Allocators::parse)
        .registerConverter(AllocatorSource.class, Allocators::source)
        .setExecutionStrategy(
            parsed -> {
              check(parsed);
              return new RunLast().execute(parsed);
            })
        .setParameterExceptionHandler((e, args) -> explain(e))
        .setExecutionExceptionHandler((e, line, parsed) -> fail(e, line));
  }

  /**
   * Sets a command's fields without running it.
   *
   * @throws ParameterException if the command line is invalid
   */
  public static <T> T parse(T command, String... args) {
    check(of(command).parseArgs(args));
    return command;
  }

  /** Checks that no option, of subcommands included, is empty or out of range. */
  public static void check(ParseResult parsed) {
    for (OptionSpec option : parsed.matchedOptions()) {
      for (String value : option.stringValues()) {
        if (value.isEmpty()) {
          throw new ParameterException(
              parsed.commandSpec().commandLine(), option.longestName() + " needs a value");
        }
        @Nullable Range range = range(option);
        if (range != null && !contains(range, value)) {
          throw new ParameterException(
              parsed.commandSpec().commandLine(), outOfRange(option, range, value));
        }
      }
    }
    parsed.subcommands().forEach(CommandLines::check);
  }

  private static boolean contains(Range range, String value) {
    BigDecimal number = new BigDecimal(value);
    return number.compareTo(new BigDecimal(range.min())) >= 0
        && number.compareTo(new BigDecimal(range.max())) <= 0;
  }

  private static @Nullable Range range(@Nullable ArgSpec option) {
    return option != null && option.userObject() instanceof AnnotatedElement field
        ? field.getAnnotation(Range.class)
        : null;
  }

  private static String outOfRange(ArgSpec option, Range range, String value) {
    boolean whole =
        List.of(int.class, Integer.class, long.class, Long.class).contains(option.type());
    return "%s must be a %s from %s to %s, not '%s'"
        .formatted(
            ((OptionSpec) option).longestName(),
            whole ? "whole number" : "number",
            range.min(),
            range.max(),
            value);
  }

  private static int explain(ParameterException e) {
    CommandLine line = e.getCommandLine();
    @Nullable Range range = range(e.getArgSpec());
    // A value that is not a number gets the same message as a number out of range.
    boolean noNumber = e.getClass() == ParameterException.class && range != null;
    String message =
        noNumber && e.getValue() != null
            ? outOfRange(e.getArgSpec(), range, e.getValue())
            : e.getMessage();
    line.getErr()
        .println(
            "%s: %s (%s --help shows the options)"
                .formatted(line.getCommandName(), message, line.getCommandName()));
    return BAD_USAGE;
  }

  private static int fail(Exception e, CommandLine line) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    } else {
      String message = e.getMessage() == null ? e.toString() : e.getMessage();
      line.getErr().println(line.getCommandName() + ": " + message);
    }
    return FAILED;
  }
}
