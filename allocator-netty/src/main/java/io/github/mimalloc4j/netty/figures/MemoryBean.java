package io.github.mimalloc4j.netty.figures;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/**
 * A management bean for one kind of memory, or for the process, with an attribute for each {@link
 * Figure} or {@link ProcessFigure}. Attributes read together come from one snapshot.
 */
final class MemoryBean implements DynamicMBean {

  private record Reading(String name, String description, ToLongFunction<Snapshot> value) {}

  private final String title;
  private final Map<String, Reading> readings;
  private final Supplier<Snapshot> figures;
  private final Supplier<Snapshot> dumped;

  private MemoryBean(
      String title,
      Stream<Reading> readings,
      Supplier<Snapshot> figures,
      Supplier<Snapshot> dumped) {
    this.title = title;
    this.readings =
        readings.collect(
            Collectors.toMap(Reading::name, r -> r, (one, other) -> one, LinkedHashMap::new));
    this.figures = figures;
    this.dumped = dumped;
  }

  MemoryBean(Snapshot.Kind kind, Supplier<Snapshot> figures, Supplier<Snapshot> dumped) {
    this(
        "Figures of an allocator's memory: " + kind,
        Arrays.stream(Figure.values()).map(figure -> reading(kind, figure)),
        figures,
        dumped);
  }

  static MemoryBean ofProcess(Supplier<Snapshot> figures, Supplier<Snapshot> dumped) {
    return new MemoryBean(
        "Figures of the process, which all allocators share",
        ProcessFigure.known(figures.get().process()).stream().map(MemoryBean::reading),
        figures,
        dumped);
  }

  private static Reading reading(Snapshot.Kind kind, Figure figure) {
    return new Reading(
        figure.attribute(), figure.description(), snapshot -> figure.of(snapshot.of(kind)));
  }

  private static Reading reading(ProcessFigure figure) {
    return new Reading(
        figure.attribute(), figure.description(), snapshot -> figure.of(snapshot.process()));
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return new MBeanInfo(
        MemoryBean.class.getName(),
        title,
        readings.values().stream()
            .map(r -> new MBeanAttributeInfo(r.name(), "long", r.description(), true, false, false))
            .toArray(MBeanAttributeInfo[]::new),
        null,
        new MBeanOperationInfo[] {
          operation("dumpStats", "All figures of the allocator as a page of text"),
          operation("dumpStatsAsJson", "All figures of the allocator as JSON"),
          operation("dumpThreadHeaps", "The memory of each thread heap, as text"),
          operation(
              "dumpLiveProfile",
              "The buffers in use by allocation site, with stack traces, as text")
        },
        null);
  }

  private static MBeanOperationInfo operation(String name, String description) {
    return new MBeanOperationInfo(
        name, description, null, String.class.getName(), MBeanOperationInfo.INFO);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Reading reading = readings.get(name);
    if (reading == null) {
      throw new AttributeNotFoundException(name);
    }
    return reading.value().applyAsLong(figures.get());
  }

  /** Omits unknown attributes, as the interface specifies. */
  @Override
  public AttributeList getAttributes(String[] names) {
    Snapshot snapshot = figures.get();
    AttributeList values = new AttributeList();
    for (String name : names) {
      Reading reading = readings.get(name);
      if (reading != null) {
        values.add(new Attribute(name, reading.value().applyAsLong(snapshot)));
      }
    }
    return values;
  }

  @Override
  public Object invoke(String name, Object @Nullable [] arguments, String @Nullable [] types)
      throws ReflectionException {
    return switch (name) {
      case "dumpStats" -> StatisticsText.of(dumped.get());
      case "dumpStatsAsJson" -> StatisticsJson.of(dumped.get());
      case "dumpThreadHeaps" -> HoldersText.ofThreadHeaps(figures.get());
      case "dumpLiveProfile" -> HoldersText.of(dumped.get().profile());
      default -> throw new ReflectionException(new NoSuchMethodException(name));
    };
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " cannot be written");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }
}
