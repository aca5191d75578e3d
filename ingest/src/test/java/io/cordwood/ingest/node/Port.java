package io.cordwood.ingest.node;

import java.util.Locale;

/** A port of a node for lines and batches. */
public enum Port {
  FAST,
  DURABLE,
  BULK;

  public int of(IngestNode node) {
    return switch (this) {
      case FAST -> node.fastPort();
      case DURABLE -> node.durablePort();
      case BULK -> node.bulkPort();
    };
  }

  /** As metrics have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
