package io.github.mimalloc4j.microbench;

import io.github.mimalloc4j.microbench.page.HtmlPage;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.List;

/** What one run of a command found out, for people: a part of the report. */
public interface CommandReport {
  /** The command's name. */
  String command();

  /** The part's heading. */
  String title();

  /** What it was measured with. */
  Setup setup();

  /** Where another allocator did better than ours. */
  List<Against> against();

  /** All figures. */
  List<Table> tables();

  /** What one must know to read the figures. */
  List<String> notes();

  /** Adds all of it to a page, with charts. */
  void addTo(HtmlPage page);
}
