package io.cordwood.agent.pods;

import io.cordwood.common.wire.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * An object that an API server sends, a pod or a status, as far as it is wanted. Names that are not
 * known are passed over.
 */
final class PodObject {
  /** An annotation of a pod that a kubelet runs by itself: the uid in the paths of its logs. */
  private static final String STATIC_UID = "kubernetes.io/config.mirror";

  private static final int MOST_READ_LABELS = 256;

  /** A record's label can have no longer one; one character may be put before it. */
  private static final int MOST_NAME_CHARS = Labels.MAX_NAME_BYTES - 1;

  private final SortedMap<String, String> labels = new TreeMap<>();
  private final Map<String, String> settings = new HashMap<>();
  private String uid = "";
  private String staticUid = "";
  private String ownerKind = "";
  private String ownerName = "";

  /** The node that it runs on. */
  String node = "";

  String version = "";

  /** Nought for a pod, which is no status. */
  int code;

  String message = "";

  /** Reads the rest of an object whose first token was read. */
  static PodObject read(JsonParser parser) {
    var object = new PodObject();
    object.readMembers(parser);
    return object;
  }

  Pod pod() {
    return Pod.of(staticUid.isEmpty() ? uid : staticUid, labels, settings, ownerKind, ownerName);
  }

  boolean isPod() {
    return !uid.isEmpty() && uid.length() <= Pod.MOST_CHARS;
  }

  private void readMembers(JsonParser parser) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("metadata") && value == JsonToken.START_OBJECT) {
        readMetadata(parser);
      } else if (name.equals("spec") && value == JsonToken.START_OBJECT) {
        readSpec(parser);
      } else if (name.equals("code") && value == JsonToken.VALUE_NUMBER_INT) {
        code = parser.getValueAsInt();
      } else if (name.equals("message") && value == JsonToken.VALUE_STRING) {
        message = parser.getString();
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readSpec(JsonParser parser) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      if (parser.nextToken() == JsonToken.VALUE_STRING && name.equals("nodeName")) {
        node = parser.getString();
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readMetadata(JsonParser parser) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_STRING && name.equals("uid")) {
        uid = parser.getString();
      } else if (value == JsonToken.VALUE_STRING && name.equals("resourceVersion")) {
        version = parser.getString();
      } else if (value == JsonToken.START_OBJECT && name.equals("labels")) {
        readTexts(parser, true);
      } else if (value == JsonToken.START_OBJECT && name.equals("annotations")) {
        readTexts(parser, false);
      } else if (value == JsonToken.START_ARRAY && name.equals("ownerReferences")) {
        readOwners(parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readTexts(JsonParser parser, boolean areLabels) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      if (parser.nextToken() != JsonToken.VALUE_STRING || name.isEmpty()) {
        parser.skipChildren();
        continue;
      }
      if (name.length() > MOST_NAME_CHARS) {
        continue;
      }
      boolean isSetting = name.startsWith(Pod.SETTING) && settings.size() < Pod.MOST_SETTINGS;
      boolean isLabel = areLabels && labels.size() < MOST_READ_LABELS;
      boolean isStatic = !areLabels && name.equals(STATIC_UID);
      if ((isSetting || isLabel || isStatic) && parser.getStringLength() <= Pod.MOST_CHARS) {
        String value = parser.getString();
        staticUid = isStatic ? value : staticUid;
        if (isSetting) {
          settings.put(name, value);
        } else if (isLabel) {
          labels.put(name, value);
        }
      }
    }
  }

  /** The owner that controls it, or the only one. */
  private void readOwners(JsonParser parser) {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      String kind = "";
      String ofName = "";
      boolean controls = ownerName.isEmpty();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "kind" -> kind = text(parser, value);
          case "name" -> ofName = text(parser, value);
          case "controller" -> controls |= value == JsonToken.VALUE_TRUE;
          default -> parser.skipChildren();
        }
      }
      if (controls) {
        ownerKind = kind;
        ownerName = ofName;
      }
    }
  }

  private static String text(JsonParser parser, JsonToken value) {
    if (value == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    parser.skipChildren();
    return "";
  }
}
