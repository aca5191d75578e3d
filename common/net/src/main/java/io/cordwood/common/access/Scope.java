package io.cordwood.common.access;

import java.util.Locale;

/** The purpose of a token. */
public enum Scope {
  /** To send records. */
  INGEST,
  /** To ask for records. */
  QUERY,
  /** To look at the cluster and at metrics. */
  ADMIN;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a label.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Scope of(String label) {
    for (Scope scope : values()) {
      if (scope.label().equals(label)) {
        return scope;
      }
    }
    throw new IllegalArgumentException(
        "expected a scope ingest, query or admin, found \"" + label + "\"");
  }
}
