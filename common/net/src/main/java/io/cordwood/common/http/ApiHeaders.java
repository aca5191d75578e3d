package io.cordwood.common.http;

import java.time.Duration;

/** Headers of the HTTP API that nodes read of each other. */
public final class ApiHeaders {
  /** How long the segments of a claim are the caller's. */
  public static final String LEASE_MILLIS = "cordwood-lease-millis";

  /** A lease, unless a node was told another; also where that header is missing. */
  public static final Duration USUAL_LEASE = Duration.ofMinutes(1);

  /** That a store can make no copies, so that another one has to: {@link #NO_COPIES}. */
  public static final String COPIES = "cordwood-copies";

  public static final String NO_COPIES = "none";

  /** The sum of the deletions that an answer leaves out. */
  public static final String DELETIONS = "cordwood-deletions";

  /** The number of records, rows or groups of an answer; mostly a trailer. */
  public static final String MATCHES = "cordwood-matches";

  private ApiHeaders() {}
}
