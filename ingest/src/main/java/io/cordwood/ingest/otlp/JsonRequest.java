package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.json.BoundedJson;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Reads a request in JSON, of which only one log record is in memory at a time: each is written as
 * a message of protobuf, so that there is one reader of them. Unknown fields are passed over.
 */
final class JsonRequest {
  private final JsonParser parser;
  private final LogEvents events;
  private final JsonMessage message;

  private JsonRequest(JsonParser parser, LogEvents events) {
    this.parser = parser;
    this.events = events;
    this.message = new JsonMessage(parser);
  }

  static void read(InputStream body, LogEvents events) throws IOException, RefusedException {
    try (JsonParser parser = BoundedJson.FACTORY.createParser(ObjectReadContext.empty(), body)) {
      new JsonRequest(parser, events).request();
    } catch (JacksonException e) {
      if (e.getCause() instanceof IOException ofBody) {
        throw ofBody;
      }
      throw bad(e);
    }
  }

  private static HttpError bad(JacksonException e) {
    var at = e.getLocation();
    String where =
        at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
    return new HttpError(400, "JSON" + where + ": " + e.getOriginalMessage());
  }

  private void request() throws IOException, RefusedException {
    parser.nextToken();
    message.expect(JsonToken.START_OBJECT, "request");
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      if (isNamed("resourceLogs", "resource_logs")) {
        each("resourceLogs", this::resourceLogs);
      } else {
        skip();
      }
    }
    if (parser.nextToken() != null) {
      throw new HttpError(400, "JSON: expected its end after the object, found more");
    }
  }

  private boolean isNamed(String name, String other) {
    String found = parser.currentName();
    return found.equals(name) || found.equals(other);
  }

  private void skip() {
    parser.nextToken();
    parser.skipChildren();
  }

  /** Reads an element of an array. */
  @FunctionalInterface
  private interface Element {
    void read() throws IOException, RefusedException;
  }

  private void each(String name, Element element) throws IOException, RefusedException {
    if (parser.nextToken() == JsonToken.VALUE_NULL) {
      return;
    }
    message.expect(JsonToken.START_ARRAY, name);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      message.expect(JsonToken.START_OBJECT, name);
      element.read();
    }
  }

  private void resourceLogs() throws IOException, RefusedException {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      if (isNamed("resource", "resource")) {
        if (isThere("resource", Shape.RESOURCE)) {
          events.resource(message.bytes(), 0, message.size());
        }
      } else if (isNamed("scopeLogs", "scope_logs")) {
        each("scopeLogs", this::scopeLogs);
      } else {
        skip();
      }
    }
    events.endResource();
  }

  private void scopeLogs() throws IOException, RefusedException {
    events.beginScope();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      if (isNamed("scope", "scope")) {
        if (isThere("scope", Shape.SCOPE)) {
          events.scope(message.bytes(), 0, message.size());
        }
      } else if (isNamed("logRecords", "log_records")) {
        each("logRecords", this::record);
      } else {
        skip();
      }
    }
    events.endScope();
  }

  private boolean isThere(String name, Shape shape) throws IOException {
    if (parser.nextToken() == JsonToken.VALUE_NULL) {
      return false;
    }
    message.expect(JsonToken.START_OBJECT, name);
    message.read(shape);
    return true;
  }

  private void record() throws IOException, RefusedException {
    message.read(Shape.LOG_RECORD);
    if (message.size() > LogEvents.MAX_BYTES) {
      events.tooLong();
    } else {
      events.record(message.bytes(), 0, message.size());
    }
  }
}
