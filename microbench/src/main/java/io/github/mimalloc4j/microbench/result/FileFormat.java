package io.github.mimalloc4j.microbench.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The files of a command's results: a record after a name by which a file is known from others.
 *
 * @param name the command's, with a number that changes when files can no longer be read as before
 */
public record FileFormat<T extends Record>(
    String name, Class<T> type, Function<T, CommandReport> report) {
  private static final String MEMBER = "format";

  public boolean isIn(JsonElement json) {
    return json instanceof JsonObject object
        && object.get(MEMBER) instanceof JsonPrimitive format
        && format.getAsString().equals(name);
  }

  /** Throws some RuntimeException if something is missing or wrong. */
  public T read(JsonElement json) {
    return Records.JSON.fromJson(json, type);
  }

  public CommandReport report(JsonElement json) {
    return report.apply(read(json));
  }

  public void write(Path file, T results) throws IOException {
    JsonObject json = new JsonObject();
    json.addProperty(MEMBER, name);
    json.asMap().putAll(Records.JSON.toJsonTree(results).getAsJsonObject().asMap());
    Files.writeString(file, Records.JSON.toJson(json) + "\n");
  }
}
