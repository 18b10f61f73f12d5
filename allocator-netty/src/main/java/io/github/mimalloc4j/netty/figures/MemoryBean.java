package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
 * What a management client sees of one kind of memory: an attribute for each {@link Figure}.
 * Attributes that are asked for together are of one snapshot.
 */
final class MemoryBean implements DynamicMBean {

  private static final Map<String, Figure> ATTRIBUTES =
      Arrays.stream(Figure.values()).collect(Collectors.toMap(Figure::attribute, f -> f));

  private final Snapshot.Kind kind;
  private final Supplier<Snapshot> snapshots;

  MemoryBean(Snapshot.Kind kind, Supplier<Snapshot> snapshots) {
    this.kind = kind;
    this.snapshots = snapshots;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return new MBeanInfo(
        MemoryBean.class.getName(),
        "Figures of an allocator's memory: " + kind,
        Arrays.stream(Figure.values())
            .map(
                f ->
                    new MBeanAttributeInfo(
                        f.attribute(), "long", f.description(), true, false, false))
            .toArray(MBeanAttributeInfo[]::new),
        null,
        new MBeanOperationInfo[] {
          operation("dumpStats", "All figures of the allocator as a page of text"),
          operation("dumpStatsAsJson", "All figures of the allocator as JSON")
        },
        null);
  }

  private static MBeanOperationInfo operation(String name, String description) {
    return new MBeanOperationInfo(
        name, description, null, String.class.getName(), MBeanOperationInfo.INFO);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Figure figure = ATTRIBUTES.get(name);
    if (figure == null) {
      throw new AttributeNotFoundException(name);
    }
    return figure.of(snapshots.get().of(kind));
  }

  /** Leaves out what it does not know, as the interface asks for. */
  @Override
  public AttributeList getAttributes(String[] names) {
    MemoryStatistics memory = snapshots.get().of(kind);
    AttributeList values = new AttributeList();
    for (String name : names) {
      Figure figure = ATTRIBUTES.get(name);
      if (figure != null) {
        values.add(new Attribute(name, figure.of(memory)));
      }
    }
    return values;
  }

  @Override
  public Object invoke(String name, Object @Nullable [] arguments, String @Nullable [] types)
      throws ReflectionException {
    return switch (name) {
      case "dumpStats" -> StatisticsText.of(snapshots.get());
      case "dumpStatsAsJson" -> StatisticsJson.of(snapshots.get());
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
