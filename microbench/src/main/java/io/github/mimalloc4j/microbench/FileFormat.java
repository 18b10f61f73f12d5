package io.github.mimalloc4j.microbench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

/**
 * How a file of a command's results begins: with a name, by which it is known from others, and with
 * the {@link Setup}.
 *
 * @param name the command's, with a number that changes when files can no longer be read as before
 */
public record FileFormat(String name) {
  private static final String MEMBER = "format";

  /** Whether a file's content is of this format. */
  public boolean isIn(JsonElement json) {
    return json instanceof JsonObject object
        && object.get(MEMBER) instanceof JsonPrimitive format
        && format.getAsString().equals(name);
  }

  /** The content of a file, to which the results are to be added. */
  public JsonObject begin(Setup setup) {
    JsonObject json = new JsonObject();
    json.addProperty(MEMBER, name);
    setup.writeTo(json);
    return json;
  }
}
