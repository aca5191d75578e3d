package io.cordwood.cli.secret;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A Secret of Kubernetes' API, version 1, in JSON. */
final class SecretJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final String DATA = "data";

  private SecretJson() {}

  static String secret(String name, Map<String, String> data) {
    var out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("apiVersion", "v1");
      json.writeStringProperty("kind", "Secret");
      json.writeStringProperty("type", "Opaque");
      json.writeObjectPropertyStart("metadata");
      json.writeStringProperty("name", name);
      json.writeObjectPropertyStart("labels");
      json.writeStringProperty("app.kubernetes.io/name", "cordwood");
      json.writeEndObject();
      json.writeEndObject();
      json.writeObjectPropertyStart(DATA);
      data.forEach((file, text) ->
          json.writeStringProperty(
              file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
      json.writeEndObject();
      json.writeEndObject();
    }
    return out.toString();
  }

  /**
   * The texts of a secret, by their names.
   *
   * @throws IOException if it is no object in JSON, or a text is not in base64
   */
  static Map<String, String> data(String secret) throws IOException {
    Map<String, String> data = new TreeMap<>();
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), secret)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("expected a secret in JSON, found no object");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.START_OBJECT && name.equals(DATA)) {
          read(json, data);
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException | IllegalArgumentException e) {
      throw new IOException("expected a secret in JSON, found something else", e);
    }
    return data;
  }

  private static void read(JsonParser json, Map<String, String> data) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      byte[] text = Base64.getDecoder().decode(json.getString());
      data.put(name, new String(text, StandardCharsets.US_ASCII));
    }
  }
}
