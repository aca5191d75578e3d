package io.cordwood.cli.secret;

import io.cordwood.common.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A Secret of Kubernetes' API, version 1, in JSON. */
final class SecretJson {
  private static final String DATA = "data";

  private SecretJson() {}

  static String secret(String name, Map<String, String> data) {
    return Json.object(json -> {
      json.writeStringProperty("apiVersion", "v1");
      json.writeStringProperty("kind", "Secret");
      json.writeStringProperty("type", "Opaque");
      json.writeObjectPropertyStart("metadata");
      json.writeStringProperty("name", name);
      Json.write(json, "labels", Map.of("app.kubernetes.io/name", "cordwood"));
      json.writeEndObject();
      json.writeObjectPropertyStart(DATA);
      data.forEach((file, text) ->
          json.writeStringProperty(
              file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
      json.writeEndObject();
    });
  }

  /**
   * The texts of a secret, by their names.
   *
   * @throws IOException if it is no object in JSON, or a text is not in base64
   */
  static Map<String, String> data(String secret) throws IOException {
    Map<String, String> data = new TreeMap<>();
    try (JsonParser json = Json.parser(secret)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("expected a secret in JSON, found no object");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.START_OBJECT && name.equals(DATA)) {
          Json.texts(json).forEach((file, text) -> data.put(file, decoded(text)));
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException | IllegalArgumentException e) {
      throw new IOException("expected a secret in JSON, found something else", e);
    }
    return data;
  }

  private static String decoded(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.US_ASCII);
  }
}
