package io.cordwood.sim;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What a cluster costs by its size: calls, messages and bytes of a node, by kind. */
final class Costs {
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> bytes = new EnumMap<>(Kind.class);
  private boolean measures;

  /** What is said between nodes; bytes are counted where they are what a node would write. */
  enum Kind {
    /** A node's description, each time that another one takes in a new one. */
    DESCRIPTION,
    /** Whom a node remembers. */
    RECOLLECTION,
    /** Of segments by a store. */
    CLAIM,
    /** Of a segment's contents. */
    PULL,
    /** Of a segment, or that it is given back. */
    COMMIT,
    /** To another store. */
    COPY,
    /** Of the slices of another store. */
    SLICES,
    /** Of the batches of another store. */
    LISTING,
    /** To a node; the bytes are those of whom it asks and answers that it knows. */
    QUESTION;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  void said(Kind kind, long length) {
    count(kind);
    bytes(kind, length);
  }

  void count(Kind kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  /** Counts bytes, too, from now on, which takes time. */
  void measure() {
    counts.clear();
    bytes.clear();
    measures = true;
  }

  boolean measures() {
    return measures;
  }

  void bytes(Kind kind, long more) {
    if (measures) {
      bytes.merge(kind, more, Long::sum);
    }
  }

  long count(Kind kind, long nodes, long minutes) {
    return counts.getOrDefault(kind, 0L) / nodes / minutes;
  }

  long bytes(Kind kind, long nodes, long minutes) {
    return bytes.getOrDefault(kind, 0L) / nodes / minutes;
  }

  long calls() {
    return counts.entrySet().stream()
        .filter(it -> it.getKey().compareTo(Kind.CLAIM) >= 0)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
