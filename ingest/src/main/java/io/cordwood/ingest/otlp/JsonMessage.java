package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.json.JsonFound;
import io.cordwood.ingest.otlp.Shape.Field;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Writes an object of JSON as a message of protobuf. Numbers may be numbers or texts, ids
 * hexadecimal or base64, severities names or numbers; null is nothing.
 */
final class JsonMessage {
  private static final String SEVERITY = "SEVERITY_NUMBER_";

  private final JsonParser parser;
  private final ProtoWriter out = new ProtoWriter();

  JsonMessage(JsonParser parser) {
    this.parser = parser;
  }

  /** Reads the object that has begun. */
  void read(Shape shape) {
    out.clear();
    fields(shape);
  }

  byte[] bytes() {
    return out.bytes();
  }

  int size() {
    return out.size();
  }

  private void fields(Shape shape) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      Field field = shape.field(name);
      JsonToken value = parser.nextToken();
      if (field == null) {
        parser.skipChildren();
      } else if (value != JsonToken.VALUE_NULL) {
        field(field, name);
      }
    }
  }

  private void field(Field field, String name) {
    if (!field.isMany()) {
      value(field, name);
      return;
    }
    expect(JsonToken.START_ARRAY, name);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.VALUE_NULL) {
        out.end(out.begin(field.number()));
      } else {
        value(field, name);
      }
    }
  }

  private void value(Field field, String name) {
    int number = field.number();
    switch (field.kind()) {
      case MESSAGE -> {
        expect(JsonToken.START_OBJECT, name);
        int begun = out.begin(number);
        fields(field.shape());
        out.end(begun);
      }
      case TEXT -> {
        expect(JsonToken.VALUE_STRING, name);
        out.bytes(number, utf8(parser.getString()));
      }
      case BOOL -> out.varint(number, bool(name) ? 1 : 0);
      case INT -> out.varint(number, whole(name));
      case SEVERITY -> out.varint(number, severity(name));
      case DOUBLE -> out.fixed64(number, Double.doubleToRawLongBits(real(name)));
      case FIXED64 -> out.fixed64(number, whole(name));
      case FIXED32 -> out.fixed32(number, (int) whole(name));
      case BASE64 -> out.bytes(number, base64(name));
      case ID -> out.bytes(number, id(name));
    }
  }

  /** Half of a character becomes U+FFFD. */
  private static byte[] utf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return withoutHalves(text).getBytes(StandardCharsets.UTF_8);
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String withoutHalves(String text) {
    var valid = new StringBuilder(text.length());
    text.codePoints()
        .map(each ->
            each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE ? 0xfffd : each)
        .forEach(valid::appendCodePoint);
    return valid.toString();
  }

  private boolean bool(String name) {
    return switch (text()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw bad(name, "true or false");
    };
  }

  /** A number up to 2^64, as protobuf has it. */
  private long whole(String name) {
    String text = text();
    try {
      return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      return exact(name, text);
    }
  }

  /** Some write whole numbers as 1.0 or 1e3. */
  private long exact(String name, String text) {
    double number = parsed(name, text);
    long whole = (long) number;
    if (whole != number || Math.abs(number) > 1L << Double.PRECISION) {
      throw bad(name, "a whole number");
    }
    return whole;
  }

  private double real(String name) {
    return parsed(name, text());
  }

  private double parsed(String name, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw bad(name, "a number");
    }
  }

  private long severity(String name) {
    String text = text();
    return text.startsWith(SEVERITY)
        ? Severity.number(text.substring(SEVERITY.length()))
        : whole(name);
  }

  private byte[] base64(String name) {
    expect(JsonToken.VALUE_STRING, name);
    try {
      String text = parser.getString().replace('-', '+').replace('_', '/');
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw bad(name, "base64");
    }
  }

  private byte[] id(String name) {
    expect(JsonToken.VALUE_STRING, name);
    String text = parser.getString();
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      return base64(name);
    }
  }

  /** The text of a value, in quotes or not. */
  private String text() {
    JsonToken token = parser.currentToken();
    return token != null && token.isScalarValue() ? parser.getString() : "";
  }

  private HttpError bad(String name, String expected) {
    return new HttpError(
        400,
        "JSON at line %d, column %d: %s: expected %s, found %s"
            .formatted(
                parser.currentTokenLocation().getLineNr(),
                parser.currentTokenLocation().getColumnNr(),
                name,
                expected,
                JsonFound.at(parser)));
  }

  /** The token that there is must be this one. */
  void expect(JsonToken expected, String name) {
    if (parser.currentToken() != expected) {
      throw bad(name, word(expected));
    }
  }

  private static String word(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      default -> "a text";
    };
  }
}
