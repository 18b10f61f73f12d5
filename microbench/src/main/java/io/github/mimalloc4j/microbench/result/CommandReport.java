package io.github.mimalloc4j.microbench.result;

import io.github.mimalloc4j.microbench.page.Document;
import java.util.List;

/** What one run of a command found out, for people: a document, or a part of the report of all. */
public interface CommandReport {
  /** The command's name. */
  String command();

  /** The heading. */
  String title();

  /** What it was measured with. */
  Setup setup();

  /** Where another allocator did better than ours. */
  List<Against> against();

  /** Adds all figures, what one must know to read them, and charts. */
  void addTo(Document document);

  /** A document of its own. */
  default Document document() {
    Document document = new Document(title());
    addTo(document);
    return document.heading("Environment").preformatted(setup().lines());
  }
}
