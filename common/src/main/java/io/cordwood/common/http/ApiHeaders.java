package io.cordwood.common.http;

/** Headers of the HTTP API that nodes read of each other. */
public final class ApiHeaders {
  /** How long the segments of a claim are the caller's. */
  public static final String LEASE_MILLIS = "cordwood-lease-millis";

  private ApiHeaders() {}
}
