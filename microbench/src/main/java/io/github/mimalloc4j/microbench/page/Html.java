package io.github.mimalloc4j.microbench.page;

import java.util.regex.Pattern;

/** How text and scripts get into a page without being taken for its markup. */
final class Html {
  /** What ends a script element, or changes how its end is found, inside the script's strings. */
  private static final Pattern SCRIPT_MARKUP =
      Pattern.compile("<(/script|!--)", Pattern.CASE_INSENSITIVE);

  private Html() {}

  /** Text for the body of an element or the value of an attribute in double quotes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /**
   * A script for the body of a script element. The words that are changed can stand in strings,
   * templates and regular expressions only, where the code of a character means the character.
   */
  static String script(String script) {
    return SCRIPT_MARKUP.matcher(script).replaceAll("\\\\x3c$1");
  }
}
