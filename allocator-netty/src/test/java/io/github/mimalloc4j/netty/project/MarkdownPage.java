package io.github.mimalloc4j.netty.project;

import io.github.mimalloc4j.netty.options.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of documentation, as far as a program can tell whether it is right. */
record MarkdownPage(Path file, String text) {

  private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)\\s*$");
  private static final Pattern OPTION = Pattern.compile(Pattern.quote(Option.PREFIX) + "(\\w+)");

  static MarkdownPage read(Path file) {
    try {
      return new MarkdownPage(file, Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The names of this allocator's options in it, in code as well. */
  List<String> options() {
    return groups(OPTION, text, 1).toList();
  }

  /** The contents of its blocks of Java code. */
  List<String> javaBlocks() {
    return FENCED
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals("java"))
        .map(block -> block.group(2))
        .toList();
  }

  /** Its links that lead nowhere. Those to other sites are not looked at. */
  List<String> brokenLinks() {
    String prose = CODE.matcher(withoutBlocks()).replaceAll("");
    return groups(LINK, prose, 1)
        .filter(link -> !link.matches("https?:.*"))
        .filter(link -> !leadsSomewhere(link))
        .toList();
  }

  private boolean leadsSomewhere(String link) {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path target = path.isEmpty() ? file : file.resolveSibling(path);
    if (!Files.exists(target)) {
      return false;
    }
    return hash < 0
        || Files.isRegularFile(target) && read(target).anchors().contains(link.substring(hash + 1));
  }

  /**
   * What links can name its headings by, as GitHub makes it: letters, digits, underscores and
   * hyphens remain, spaces become hyphens, and a name that was there before gets a number.
   */
  Set<String> anchors() {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    for (String heading : groups(HEADING, withoutBlocks(), 1).toList()) {
      String name =
          LINK.matcher(heading)
              .replaceAll(link -> link.group().replaceAll("\\[([^]]*)].*", "$1"))
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_ -]", "")
              .replace(' ', '-');
      int before = seen.merge(name, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? name : name + '-' + before);
    }
    return anchors;
  }

  private String withoutBlocks() {
    return FENCED.matcher(text).replaceAll("");
  }

  private static Stream<String> groups(Pattern pattern, String text, int group) {
    return pattern.matcher(text).results().map((MatchResult result) -> result.group(group));
  }
}
