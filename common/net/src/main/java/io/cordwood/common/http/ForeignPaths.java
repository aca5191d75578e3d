package io.cordwood.common.http;

import java.util.Set;

/** Paths at which senders made for other servers expect them; all of them take records. */
public final class ForeignPaths {
  public static final String LOKI_PUSH = "/loki/api/v1/push";
  public static final String VICTORIA_LOKI = "/insert/loki/api/v1/push";

  public static final String JSON_LINE = "/insert/jsonline";

  /** All of them. */
  public static final Set<String> ALL =
      Set.of(
          LOKI_PUSH, //
          VICTORIA_LOKI,
          JSON_LINE);

  private ForeignPaths() {}
}
