package io.cordwood.common.json;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/** Writes and reads values one by one; what is no JSON is a {@code JacksonException}. */
public final class Json {
  /** The media type. */
  public static final String TYPE = "application/json";

  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** For values that are begun and ended by their writer; to be closed, which closes the stream. */
  public static JsonGenerator generator(OutputStream out) {
    return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** Writes one object on a line, and closes the stream. */
  public static void writeLine(OutputStream out, Consumer<JsonGenerator> properties) {
    try (JsonGenerator json = generator(out)) {
      writeObject(json, properties);
      json.writeRaw('\n');
    }
  }

  /** An object. */
  public static String object(Consumer<JsonGenerator> properties) {
    var text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      writeObject(json, properties);
    }
    return text.toString();
  }

  /** An array. */
  public static String array(Consumer<JsonGenerator> values) {
    var text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartArray();
      values.accept(json);
      json.writeEndArray();
    }
    return text.toString();
  }

  private static void writeObject(JsonGenerator json, Consumer<JsonGenerator> properties) {
    json.writeStartObject();
    properties.accept(json);
    json.writeEndObject();
  }

  /** A text as a value, without any control, for terminals. */
  public static String quoted(String text) {
    String escaped = new String(JsonStringEncoder.getInstance().quoteAsCharArray(text));
    return '"' + escaped.replace("\u007F", "\\u007F") + '"';
  }

  /** Writes a property that is an array. */
  public static void write(JsonGenerator json, String name, Collection<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
  }

  /** Writes a property that is an object. */
  public static void write(JsonGenerator json, String name, Map<String, String> values) {
    json.writeObjectPropertyStart(name);
    values.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  /** To be closed. */
  public static JsonParser parser(String text) {
    return FACTORY.createParser(ObjectReadContext.empty(), text);
  }

  /** To be closed. */
  public static JsonParser parser(byte[] text) {
    return FACTORY.createParser(ObjectReadContext.empty(), text);
  }

  /** To be closed, which closes the stream. */
  public static JsonParser parser(InputStream text) {
    return FACTORY.createParser(ObjectReadContext.empty(), text);
  }

  /** Reads an object of texts, after its beginning, to its end. */
  public static Map<String, String> texts(JsonParser json) {
    Map<String, String> texts = new TreeMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      texts.put(name, json.getString());
    }
    return texts;
  }
}
