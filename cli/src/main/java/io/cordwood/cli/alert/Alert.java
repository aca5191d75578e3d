package io.cordwood.cli.alert;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An alert as it is sent.
 *
 * @param key what tells it from others of its rule
 * @param version grows with each state of it
 * @param endsAt when it was resolved; empty while it fires
 * @param link to the records
 */
record Alert(
    AlertKey key,
    long version,
    Map<String, String> labels,
    Map<String, String> annotations,
    Instant startsAt,
    Optional<Instant> endsAt,
    String link) {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final byte SEPARATOR = (byte) 0xff;

  String status() {
    return endsAt.isPresent() ? "resolved" : "firing";
  }

  /** The labels' FNV-1a of 64 bits, as Prometheus makes it. */
  String fingerprint() {
    long hash = FNV_OFFSET;
    for (var label : new TreeMap<>(labels).entrySet()) {
      for (String text : new String[] {label.getKey(), label.getValue()}) {
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
          hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        hash = (hash ^ (SEPARATOR & 0xff)) * FNV_PRIME;
      }
    }
    return "%016x".formatted(hash);
  }
}
