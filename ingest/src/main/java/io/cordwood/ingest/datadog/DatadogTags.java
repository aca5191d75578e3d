package io.cordwood.ingest.datadog;

import java.util.Map;

/** Tags in one text, such as {@code env:prod,team:a}. */
final class DatadogTags {
  static final String NAME = "ddtags";

  private DatadogTags() {}

  /** Makes a label of each tag that has a value, beside the one that has all of them. */
  static void addTo(Map<String, String> labels) {
    for (String tag : labels.getOrDefault(NAME, "").split(",", -1)) {
      int colon = tag.indexOf(':');
      if (colon > 0 && colon < tag.length() - 1) {
        labels.putIfAbsent(tag.substring(0, colon).strip(), tag.substring(colon + 1).strip());
      }
    }
  }
}
