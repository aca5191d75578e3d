package io.cordwood.ingest.elastic;

import io.cordwood.common.json.JsonFound;
import io.cordwood.ingest.elastic.SenderKeys.Node;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.json.EventTimes;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads documents, each in one pass: whether it is an object of JSON, its time, and what describes
 * its sender. Of a key that is there twice the last counts. For one request, and one thread.
 */
final class Documents {
  /** A longer value is in the document only. */
  private static final int MAX_LABEL_CHARS = 256;

  private final JsonFactory factory;
  private final EventOrigins origins;
  private final @Nullable String[] values = new String[SenderKeys.LABELS.size()];
  private final @Nullable String[] known = new String[SenderKeys.LABELS.size()];
  private final EventTime[] times = new EventTime[SenderKeys.TIMES.size()];
  private @Nullable String knownIndex;
  private @Nullable EventOrigin origin;

  Documents(JsonFactory factory, EventOrigins origins) {
    this.factory = factory;
    this.origins = origins;
  }

  /** Why a document can never be taken; one line. */
  static final class BadDocumentException extends Exception {
    BadDocumentException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Reads one.
   *
   * @throws BadDocumentException if it is no object of JSON
   */
  void read(byte[] bytes, int from, int to) throws BadDocumentException {
    Arrays.fill(values, null);
    Arrays.fill(times, EventTime.NONE);
    try (JsonParser json =
        factory.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new BadDocumentException("expected an object of JSON, found " + JsonFound.at(json));
      }
      readObject(json, SenderKeys.ROOT);
      if (json.nextToken() != null) {
        throw new BadDocumentException(
            "expected one object of JSON, found " + JsonFound.at(json) + " after it");
      }
    } catch (JacksonException e) {
      throw new BadDocumentException("expected an object of JSON, found " + JsonFaults.text(e));
    }
  }

  private void readObject(JsonParser json, Node node) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      Node below = node.below.get(json.currentName());
      JsonToken value = json.nextToken();
      if (below == null) {
        json.skipChildren();
      } else if (value == JsonToken.START_OBJECT) {
        readObject(json, below);
      } else if (value.isScalarValue()) {
        readValue(json, value, below);
      } else {
        json.skipChildren();
      }
    }
  }

  private void readValue(JsonParser json, JsonToken value, Node node) {
    if (node.time >= 0) {
      times[node.time] = time(json, value);
    }
    if (node.label >= 0 && value == JsonToken.VALUE_STRING) {
      values[node.label] = label(json, known[node.label]);
    }
  }

  private static EventTime time(JsonParser json, JsonToken value) {
    return switch (value) {
      case VALUE_STRING ->
          EventTimes.of(json.getStringCharacters(), json.getStringOffset(), json.getStringLength());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> EventTimes.of(json.getString());
      default -> EventTime.NONE;
    };
  }

  /** Most documents have what the one before it had. */
  private static @Nullable String label(JsonParser json, @Nullable String before) {
    char[] chars = json.getStringCharacters();
    int from = json.getStringOffset();
    int length = json.getStringLength();
    if (length == 0 || length > MAX_LABEL_CHARS) {
      return null;
    }
    boolean isSame =
        before != null
            && before.length() == length
            && before.contentEquals(CharBuffer.wrap(chars, from, length));
    return isSame ? before : new String(chars, from, length);
  }

  /** The time of the document that was read. */
  EventTime time() {
    for (EventTime time : times) {
      if (!time.equals(EventTime.NONE)) {
        return time;
      }
    }
    return EventTime.NONE;
  }

  /**
   * The sender of the document that was read.
   *
   * @param index empty if none is named
   */
  EventOrigin origin(String index) {
    EventOrigin last = origin;
    if (last != null && index.equals(knownIndex) && Arrays.equals(values, known)) {
      return last;
    }
    var pairs = new LinkedHashMap<String, String>();
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      if (value != null && !value.isBlank()) {
        pairs.put(SenderKeys.LABELS.get(i), value);
      }
    }
    if (!index.isEmpty()) {
      pairs.put("index", index);
    }
    System.arraycopy(values, 0, known, 0, values.length);
    knownIndex = index;
    EventOrigin made = origins.of(pairs);
    origin = made;
    return made;
  }
}
