package io.github.mimalloc4j.planted;

import io.github.mimalloc4j.planted.Laboratory.Verdict;
import io.github.mimalloc4j.planted.PlantedBug.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * A JVM that runs tests until each has found the mistake in the classes that it is given. Prints a
 * line for each test.
 *
 * <p>What runs a stress test is jcstress's own runner, without the processes that it would start.
 */
final class Trial {

  /** Begins the line of a test. Then come the verdict, a colon and what there is to say. */
  static final String MARK = "trial:";

  static final char SEPARATOR = ':';

  /** How long a stress test runs at first. Each further run takes twice as long. */
  private static final int FIRST_MILLIS = 50;

  /**
   * After how long in all a stress test has found nothing. A test that needs more than a tenth of
   * that may fail one day by chance: its race needs to be met more often.
   */
  private static final int MOST_MILLIS = Integer.getInteger("planted.stress.millis");

  /** jcstress would take time to find out. */
  private static final String PROCESSORS =
      String.valueOf(Runtime.getRuntime().availableProcessors());

  private static final String WRONG_RESULTS = "= Invalid execution results =";
  private static final String WRONG_AT_REST = "at rest: ";

  private Trial() {}

  public static void main(String[] args) {
    Kind kind = Kind.valueOf(args[0]);
    for (String test : List.of(args).subList(1, args.length)) {
      System.out.println(kind == Kind.STRESS ? stress(test) : check(test));
    }
    System.exit(0); // a stress test may have left threads behind
  }

  private static String stress(String test) {
    TestInfo info = TestList.getInfo(test);
    try {
      for (int spent = 0, millis = FIRST_MILLIS; spent < MOST_MILLIS; millis *= 2) {
        TestResult result = run(info, millis);
        spent += millis;
        if (result.status() != Status.NORMAL) {
          return line(Verdict.FAILED_OTHERWISE, result.status() + " " + result.getMessages());
        }
        for (var grade : TestGrading.grade(result).gradingResults.values()) {
          if (grade.expect == Expect.FORBIDDEN && grade.count > 0) {
            return line(Verdict.FOUND, grade.id + " (within " + spent + " ms)");
          }
        }
      }
      return line(Verdict.NOT_FOUND, "all outcomes were acceptable");
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      return line(Verdict.FAILED_OTHERWISE, e.toString());
    }
  }

  private static TestResult run(TestInfo info, int millis)
      throws IOException, ReflectiveOperationException {
    Options options =
        new Options(new String[] {"-c", PROCESSORS, "-iters", "1", "-time", "" + millis});
    options.parse();
    SchedulingClass scheduling =
        new SchedulingClass(AffinityMode.NONE, info.threads(), NodeType.PACKAGE);
    TestConfig config =
        new TestConfig(options, info, 1, List.of(), CompileMode.UNIFIED, scheduling);
    Runner<?> runner =
        (Runner<?>)
            Class.forName(info.generatedRunner())
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new ForkedTestConfig(config));
    TestResult result = runner.run();
    result.setConfig(config);
    return result;
  }

  private static String check(String test) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectMethod(test))
            .build();
    List<TestExecutionResult> results = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                if (id.isTest() || result.getThrowable().isPresent()) {
                  results.add(result);
                }
              }
            });
    if (results.size() != 1) {
      return line(Verdict.FAILED_OTHERWISE, "not one test ran, but " + results.size());
    }
    return results
        .get(0)
        .getThrowable()
        .map(Trial::judge)
        .orElse(line(Verdict.NOT_FOUND, "all interleavings were right"));
  }

  /** A wrong state at rest, or results that no order explains; not a hang, and no exception. */
  private static String judge(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    if (thrown instanceof LincheckAssertionError) {
      int atRest = message.indexOf(WRONG_AT_REST);
      if (atRest >= 0) {
        return line(Verdict.FOUND, message.substring(atRest).lines().findFirst().orElseThrow());
      }
      if (message.contains(WRONG_RESULTS)) {
        return line(Verdict.FOUND, "results that no order explains");
      }
    }
    return line(Verdict.FAILED_OTHERWISE, thrown.toString());
  }

  private static String line(Verdict verdict, String message) {
    return MARK + verdict + SEPARATOR + message.strip().replaceAll("\\s+", " ");
  }
}
