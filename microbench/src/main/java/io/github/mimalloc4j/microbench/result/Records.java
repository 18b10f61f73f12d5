package io.github.mimalloc4j.microbench.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON, component by component. A record in a file has all its components, but those
 * that may be null: Gson alone would make 0 or null of what is missing, or unknown to an enum.
 */
public final class Records {
  public static final Gson JSON =
      new GsonBuilder()
          .registerTypeAdapterFactory(new Complete())
          .registerTypeAdapter(
              Duration.class,
              (JsonSerializer<Duration>)
                  (time, type, context) -> new JsonPrimitive(time.toString()))
          .registerTypeAdapter(
              Duration.class,
              (JsonDeserializer<Duration>)
                  (json, type, context) -> Duration.parse(json.getAsString()))
          .disableHtmlEscaping()
          .create();

  private Records() {}

  private static final class Complete implements TypeAdapterFactory {
    @Override
    public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
      if (!type.getRawType().isRecord()) {
        return null;
      }
      TypeAdapter<T> usual = gson.getDelegateAdapter(this, type);
      TypeAdapter<JsonObject> objects = gson.getAdapter(JsonObject.class);
      return new TypeAdapter<T>() {
        @Override
        public void write(JsonWriter out, T content) throws IOException {
          usual.write(out, content);
        }

        @Override
        public T read(JsonReader in) throws IOException {
          JsonObject json = objects.read(in);
          T content = usual.fromJsonTree(json);
          for (RecordComponent component : type.getRawType().getRecordComponents()) {
            requireValue(component, json, content);
          }
          return content;
        }
      };
    }

    private static void requireValue(RecordComponent component, JsonObject json, Object content) {
      if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        return;
      }
      try {
        component.getAccessor().setAccessible(true);
        if (!json.has(component.getName()) || component.getAccessor().invoke(content) == null) {
          throw new JsonParseException(component.getName() + " is missing or unknown");
        }
      } catch (ReflectiveOperationException e) {
        throw new JsonParseException(e);
      }
    }
  }
}
