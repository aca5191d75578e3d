package io.cordwood.common.json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Says in messages what stands where a parser is. */
public final class JsonFound {
  private static final int SHOWN_CHARS = 40;

  private JsonFound() {}

  /** The value itself if it is a text, a number or a word, cut to 40 characters. */
  public static String at(JsonParser json) {
    JsonToken token = json.currentToken();
    return switch (token) {
      case null -> "the end";
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case END_OBJECT -> "the end of an object";
      case END_ARRAY -> "the end of an array";
      case PROPERTY_NAME -> "the key " + quoted(json.currentName());
      case VALUE_STRING -> quoted(json.getString());
      default -> cut(json.getString());
    };
  }

  private static String quoted(String text) {
    return Json.quoted(cut(text));
  }

  private static String cut(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }
}
