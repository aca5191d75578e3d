package io.cordwood.common.http;

import java.util.Set;

/** Paths at which senders made for other servers expect them; all of them take records. */
public final class ForeignPaths {
  /** All of them. */
  public static final Set<String> ALL = Set.of();

  private ForeignPaths() {}
}
