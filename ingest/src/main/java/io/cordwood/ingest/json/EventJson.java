package io.cordwood.ingest.json;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.json.JsonFound;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Events as JSON, within the limits of {@link BoundedJson}. Anything else is answered 400, with the
 * line and the column.
 */
public final class EventJson {
  private EventJson() {}

  /** Reads a document. */
  @FunctionalInterface
  public interface Reader {
    /** Goes through it; the parser is before the first token. */
    void read(JsonParser json) throws IOException, RefusedException;
  }

  /**
   * Reads a document.
   *
   * @throws HttpError 400 if it is not JSON
   */
  public static void read(InputStream body, Reader reader) throws IOException, RefusedException {
    read(BoundedJson.FACTORY.createParser(ObjectReadContext.empty(), body), reader);
  }

  /** Reads a document that stands in a part of an array. */
  public static void read(byte[] bytes, int from, int to, Reader reader)
      throws IOException, RefusedException {
    read(
        BoundedJson.FACTORY.createParser(ObjectReadContext.empty(), bytes, from, to - from),
        reader);
  }

  private static void read(JsonParser parser, Reader reader) throws IOException, RefusedException {
    try (parser) {
      reader.read(parser);
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (JacksonException e) {
      throw new HttpError(
          400, "body: expected JSON, found%s: %s".formatted(at(e.getLocation()), message(e)));
    }
  }

  private static String message(JacksonException e) {
    return e.getOriginalMessage().lines().findFirst().orElse("something else");
  }

  private static String at(@Nullable TokenStreamLocation location) {
    return location == null
        ? " at its end"
        : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }

  /** That something else stands where the parser is. */
  public static HttpError unexpected(JsonParser json, String expected) {
    return new HttpError(
        400,
        "body: expected %s, found %s%s"
            .formatted(expected, JsonFound.at(json), at(json.currentTokenLocation())));
  }

  /**
   * Checks the token at which the parser is.
   *
   * @throws HttpError 400 if it is another one
   */
  public static void expect(JsonParser json, JsonToken token, String expected) {
    if (json.currentToken() != token) {
      throw unexpected(json, expected);
    }
  }

  /** Copies the value at which the parser is, which then is at its last token. */
  public static void copy(JsonParser json, Beside to) {
    int depth = 0;
    JsonToken token = json.currentToken();
    while (true) {
      depth += copyToken(json, token, to);
      if (depth == 0) {
        return;
      }
      token = json.nextToken();
    }
  }

  /** Returns how much deeper the next token is. */
  private static int copyToken(JsonParser json, JsonToken token, Beside to) {
    switch (token) {
      case START_OBJECT -> to.begin('{');
      case START_ARRAY -> to.begin('[');
      case END_OBJECT -> to.end('}');
      case END_ARRAY -> to.end(']');
      case PROPERTY_NAME -> to.name(json.currentName());
      case VALUE_STRING -> to.string(json.getString());
      default -> to.raw(json.getString());
    }
    return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
  }
}
