package io.github.mimalloc4j.netty.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.support.OtherJvm;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Java code of a document: statements, an expression, or a main method. */
final class JavaSnippet {

  private static final String CLASS = "Snippet";

  private static final String IMPORTS =
      "import io.github.mimalloc4j.core.statistics.*; import io.github.mimalloc4j.micrometer.*;"
          + " import io.github.mimalloc4j.netty.*; import io.micrometer.core.instrument.*;"
          + " import io.netty.bootstrap.*; import io.netty.buffer.*; import io.netty.channel.*; ";

  /** What stands for the reader's own code. */
  private static final String ELLIPSIS = "…";

  private final String source;

  JavaSnippet(String code) {
    String own = code.replace(ELLIPSIS, "").strip();
    String statements = own.matches("(?s).*[;}]") ? own : own + ';';
    String member =
        own.contains("void main(")
            ? own
            : "public static void main(String[] args) throws Exception {\n" + statements + "\n}";
    source = IMPORTS + "public class " + CLASS + " {\n" + member + "\n}\n";
  }

  /** Fails, with the compiler's messages, if the code does not compile. */
  void compile(Path directory) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"));
    boolean compiled =
        compiler.getTask(messages, null, null, options, null, List.of(new Source(source))).call();
    assertThat(compiled).as("%s%n%s", messages, source).isTrue();
  }

  /**
   * Runs the compiled code in a JVM of its own, which no test has prepared.
   *
   * @return what it wrote
   */
  static String run(Path directory) {
    return OtherJvm.run(Runner.class, "-Dsnippet=" + directory).assertSucceeded().output();
  }

  static final class Runner {
    public static void main(String[] args) throws Exception {
      URL classes = Path.of(System.getProperty("snippet")).toUri().toURL();
      try (URLClassLoader loader = new URLClassLoader(new URL[] {classes})) {
        loader.loadClass(CLASS).getMethod("main", String[].class).invoke(null, (Object) args);
      }
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///" + CLASS + ".java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
      return text;
    }
  }
}
