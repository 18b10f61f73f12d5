package io.github.mimalloc4j.microbench.command;

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
 * How command lines are read and failures are told.
 *
 * <p>A failure is one line, or more if a process that the command started had more to say. Exit
 * codes: 0 success, 1 the command failed, 2 the command line makes no sense.
 */
public final class CommandLines {
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;

  private CommandLines() {}

  /** A command line for an annotated object and the commands below it. */
  public static CommandLine of(Object command) {
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Allocators.class, Allocators::parse)
        .registerConverter(NamedAllocator.class, NamedAllocator::parse)
        .registerConverter(NamedAllocator.Several.class, NamedAllocator.Several::parse)
        .setExecutionStrategy(
            parsed -> {
              check(parsed);
              return new RunLast().execute(parsed);
            })
        .setParameterExceptionHandler((e, args) -> explain(e))
        .setExecutionExceptionHandler((e, line, parsed) -> fail(e, line));
  }

  /**
   * Fills a command's fields without running it.
   *
   * @throws ParameterException if the command line makes no sense
   */
  public static <T> T parse(T command, String... args) {
    check(of(command).parseArgs(args));
    return command;
  }

  /** Looks for values out of range, and for empty ones, in all commands of a command line. */
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
    boolean whole = List.of(int.class, long.class, Long.class).contains(option.type());
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
    // A value that is no number is told in the same words as a number out of range.
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
