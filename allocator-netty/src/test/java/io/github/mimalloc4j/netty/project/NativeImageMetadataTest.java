package io.github.mimalloc4j.netty.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What native-image is told is true, and is all: its fields are those that VarHandles access. */
class NativeImageMetadataTest {

  /** Of {@code reflect-config.json}. */
  private record Entry(Condition condition, String name, List<Field> fields) {

    record Condition(String typeReachable) {}

    record Field(String name) {}
  }

  private static final String FOLDER =
      "/META-INF/native-image/io.github.mimalloc4j/allocator-netty/";

  @Test
  void eachFieldThatIsNamedExists() throws Exception {
    assertThat(reflection()).isNotEmpty();
    for (Entry entry : reflection()) {
      Class<?> type = Class.forName(entry.name(), false, getClass().getClassLoader());
      assertThat(entry.fields()).isNotEmpty();
      for (Entry.Field field : entry.fields()) {
        assertThat(type.getDeclaredField(field.name())).isNotNull();
      }
    }
  }

  @Test
  void asManyFieldsOfEachClassAreNamedAsItLooksUp() throws IOException {
    Map<String, Integer> named = new TreeMap<>();
    reflection()
        .forEach(entry -> named.put(entry.condition().typeReachable(), entry.fields().size()));
    assertThat(named).isEqualTo(lookedUpVarHandles());
  }

  /** Where one is named instead of another one, the numbers are the same. */
  @Test
  void theFieldsThatVarHandlesAccessAreNamed() throws Exception {
    List<String> named = new ArrayList<>();
    for (Entry entry : reflection()) {
      entry.fields().forEach(field -> named.add(entry.name() + '.' + field.name()));
    }
    assertThat(accessedFields()).containsExactlyInAnyOrderElementsOf(named);
  }

  @Test
  void theLibraryIsInitialisedAtRunTime() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = open("native-image.properties")) {
      properties.load(in);
    }
    String option = "--initialize-at-run-time=";
    assertThat(properties.getProperty("Args")).startsWith(option);
    String prefix = properties.getProperty("Args").substring(option.length());
    assertThat(MiMallocByteBufAllocator.class.getName()).startsWith(prefix + '.');
    assertThat(io.github.mimalloc4j.core.heap.Heap.class.getName()).startsWith(prefix + '.');
  }

  private static Map<String, Integer> lookedUpVarHandles() {
    Map<String, Integer> found = new TreeMap<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.github.mimalloc4j")) {
      type.getMethodCallsFromSelf().stream()
          .filter(call -> call.getTarget().getName().equals("findVarHandle"))
          .forEach(call -> found.merge(type.getName(), 1, Integer::sum));
    }
    return found;
  }

  private static List<String> accessedFields() throws ReflectiveOperationException {
    List<String> found = new ArrayList<>();
    for (String name : lookedUpVarHandles().keySet()) {
      for (java.lang.reflect.Field constant : Class.forName(name).getDeclaredFields()) {
        if (constant.getType() == VarHandle.class) {
          constant.setAccessible(true);
          VarHandle handle = (VarHandle) constant.get(null);
          VarHandle.VarHandleDesc field = handle.describeConstable().orElseThrow();
          String owner = handle.coordinateTypes().get(0).getName();
          found.add(owner + '.' + field.constantName());
        }
      }
    }
    return found;
  }

  private static List<Entry> reflection() throws IOException {
    try (InputStream in = open("reflect-config.json");
        Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      return List.of(new Gson().fromJson(reader, Entry[].class));
    }
  }

  private static InputStream open(String name) {
    InputStream in = NativeImageMetadataTest.class.getResourceAsStream(FOLDER + name);
    assertThat(in).as(name).isNotNull();
    return in;
  }
}
