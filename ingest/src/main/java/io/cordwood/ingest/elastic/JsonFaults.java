package io.cordwood.ingest.elastic;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** How JSON of clients is read, and what is said of what is none. */
final class JsonFaults {
  private static final int MAX_DEPTH = 100;
  private static final int SHOWN_CHARS = 200;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private JsonFaults() {}

  /** The place and the fault, on one line. */
  static String text(JacksonException e) {
    String found = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ");
    String cut = found.length() > SHOWN_CHARS ? found.substring(0, SHOWN_CHARS) + "…" : found;
    var location = e.getLocation();
    return location == null || location.getColumnNr() < 0
        ? cut
        : "at column " + location.getColumnNr() + ": " + cut;
  }
}
