package io.cordwood.common.http.client;

import java.net.URI;

/** The part of an address that a request names: its path, with its query, as it stands there. */
final class RequestTarget {
  private RequestTarget() {}

  static String of(URI uri) {
    return uri.getRawQuery() == null
        ? uri.getRawPath()
        : uri.getRawPath() + '?' + uri.getRawQuery();
  }
}
