package io.cordwood.ingest.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import java.util.Map;

/**
 * Labels of streams. Those that cannot be labels here stand beside each entry, so their length is
 * bounded: few bytes of a request must not become very many.
 */
final class StreamLabels {
  private static final int MAX_CHARS = 32 << 10;

  private StreamLabels() {}

  /**
   * The origin of a stream's entries.
   *
   * @throws HttpError 400 if its labels are too long
   */
  static EventOrigin origin(EventOrigins origins, Map<String, String> labels) {
    long chars = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      chars += label.getKey().length() + label.getValue().length();
    }
    if (chars > MAX_CHARS) {
      throw new HttpError(
          400,
          "labels: expected at most %d characters in a stream's, found %d"
              .formatted(MAX_CHARS, chars));
    }
    return origins.of(labels);
  }
}
