package io.cordwood.common.bucket;

import io.cordwood.common.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Credentials as services write them: {@code AccessKeyId}, {@code SecretAccessKey} and others. */
final class KeyJson {
  private KeyJson() {}

  /**
   * Reads an answer in JSON.
   *
   * @throws IOException if it has no credentials; the message shows none
   */
  static AccessKey parse(byte[] json) throws IOException {
    Map<String, String> values = new HashMap<>();
    String text = new String(json, StandardCharsets.UTF_8);
    try (JsonParser parser = Json.parser(text)) {
      for (JsonToken it = parser.nextToken(); it != null; it = parser.nextToken()) {
        if (it == JsonToken.VALUE_STRING) {
          values.put(parser.currentName(), parser.getString());
        }
      }
    } catch (JacksonException e) {
      throw new IOException("expected credentials as JSON, found something else", e);
    }
    return of(values, "Token");
  }

  /**
   * Credentials by the names of their parts.
   *
   * @param token the name of the session's
   */
  static AccessKey of(Map<String, String> values, String token) throws IOException {
    String id = values.get("AccessKeyId");
    String secret = values.get("SecretAccessKey");
    if (id == null || secret == null) {
      throw new IOException("expected AccessKeyId and SecretAccessKey, found neither or one");
    }
    return new AccessKey(
        id, secret, Optional.ofNullable(values.get(token)), expiry(values.get("Expiration")));
  }

  private static Optional<Instant> expiry(@Nullable String text) throws IOException {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeException e) {
      throw new IOException("expected a time as Expiration, found " + text, e);
    }
  }
}
