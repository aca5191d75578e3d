package io.cordwood.ingest.elastic;

import tools.jackson.core.JacksonException;

/** Messages about text that is no JSON. */
final class JsonFaults {
  private static final int SHOWN_CHARS = 200;

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
