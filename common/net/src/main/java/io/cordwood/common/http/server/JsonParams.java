package io.cordwood.common.http.server;

import io.cordwood.common.json.JsonFound;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Parameters as one JSON object:
 *
 * <pre>
 *   { "q": ["timeout", "refused"], "from": "1h", "limit": 100, "regex": true }
 * </pre>
 *
 * A name's value is text, a number, true, false, or a list of them, one for each time that the
 * parameter would be given; null is as if it were not there.
 */
final class JsonParams {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonParser json;
  private final Charset charset;
  private final Map<String, List<String>> found = new LinkedHashMap<>();

  private JsonParams(JsonParser json, Charset charset) {
    this.json = json;
    this.charset = charset;
  }

  /**
   * Reads them.
   *
   * @param charset that the values are to have, one character for each byte of their UTF-8
   * @throws HttpError 400 that says where something else was expected
   */
  static Map<String, List<String>> read(byte[] body, Charset charset) {
    try (JsonParser json =
        FACTORY.createParser(ObjectReadContext.empty(), new ByteArrayInputStream(body))) {
      var params = new JsonParams(json, charset);
      params.readObject();
      return params.found;
    } catch (JacksonException e) {
      throw new HttpError(
          400, "body: expected JSON, found at %s: %s".formatted(at(e), e.getOriginalMessage()));
    }
  }

  private static String at(JacksonException e) {
    var location = e.getLocation();
    return location == null
        ? "its end"
        : "line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }

  private void readObject() {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw unexpected("an object of parameters");
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      readValues(bytes(json.currentName()));
    }
    if (json.nextToken() != null) {
      throw unexpected("nothing after the object");
    }
  }

  private void readValues(String name) {
    List<String> values = new ArrayList<>();
    if (json.nextToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        values.add(value(name));
      }
    } else if (json.currentToken() != JsonToken.VALUE_NULL) {
      values.add(value(name));
    }
    if (!values.isEmpty()) {
      found.put(name, values);
    }
  }

  private String value(String name) {
    JsonToken token = json.currentToken();
    if (token == null || !token.isScalarValue() || token == JsonToken.VALUE_NULL) {
      throw unexpected("text, a number, true or false for " + HttpError.cut(name));
    }
    return bytes(json.getString());
  }

  private String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), charset);
  }

  private HttpError unexpected(String expected) {
    var location = json.currentTokenLocation();
    return new HttpError(
        400,
        "body: expected %s, found %s at line %d, column %d"
            .formatted(expected, JsonFound.at(json), location.getLineNr(), location.getColumnNr()));
  }
}
