package io.github.mimalloc4j.microbench.result;

import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import java.util.List;
import java.util.Optional;

/** What one run of a command found out, for people: a document, or a part of the report of all. */
public abstract class CommandReport {
  private final String command;
  private final String title;
  private final Setup setup;

  protected CommandReport(String command, String title, Setup setup) {
    this.command = command;
    this.title = title;
    this.setup = setup;
  }

  /** All figures of other allocators beside ours, whoever did better. */
  public abstract List<Against> against();

  /** The figures that matter most, as a plot beside those of other runs; empty if it has none. */
  public Optional<RangePlot> plot() {
    return Optional.empty();
  }

  /** Adds all figures, what one must know to read them, and charts. */
  public abstract void addTo(Document document);

  public final Document document() {
    Document document = new Document(title);
    addTo(document);
    return document.heading("Environment").preformatted(setup.lines());
  }

  public final String command() {
    return command;
  }

  public final String title() {
    return title;
  }

  public final Setup setup() {
    return setup;
  }
}
