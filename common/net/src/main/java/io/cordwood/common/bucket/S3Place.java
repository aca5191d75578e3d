package io.cordwood.common.bucket;

import java.net.URI;
import java.util.Locale;
import java.util.Map;

/**
 * A bucket of a service, and the part of it that is used.
 *
 * @param url which tells it from all others
 * @param scheme of the service
 * @param authority host, and port if it is not the usual one; with the bucket's name before it if
 *     that is not in the path
 * @param path before keys, encoded: empty, or begins with a slash and ends without one
 * @param prefix of keys: empty, or ends with a slash
 * @param putHeaders for each object that is put, by names in small letters
 */
record S3Place(
    String name,
    String url,
    String scheme,
    String authority,
    String path,
    String prefix,
    String region,
    Map<String, String> putHeaders) {
  private static final String SLASH = "/";

  S3Place {
    putHeaders = Map.copyOf(putHeaders);
  }

  /**
   * Puts addresses together.
   *
   * @param url {@code s3://BUCKET/PREFIX}
   * @param endpoint of the service; empty for Amazon's
   * @param style {@code path} or {@code virtual}
   * @throws IllegalArgumentException if there is no such endpoint or style
   */
  static S3Place of(
      URI url, String endpoint, String region, String style, Map<String, String> putHeaders) {
    if (!style.equals("path") && !style.equals("virtual")) {
      throw new IllegalArgumentException("expected style=path or style=virtual, found " + style);
    }
    URI service =
        URI.create(endpoint.isEmpty() ? "https://s3." + region + ".amazonaws.com" : endpoint);
    String scheme = service.getScheme();
    if (service.getHost() == null || (!"http".equals(scheme) && !"https".equals(scheme))) {
      throw new IllegalArgumentException(
          "expected an endpoint http://HOST:PORT or https://HOST:PORT, found " + endpoint);
    }
    String bucket = url.getAuthority();
    String base = trimmed(service.getRawPath());
    boolean virtual = style.equals("virtual");
    int port = service.getPort();
    boolean usual = port < 0 || port == (scheme.equals("http") ? 80 : 443);
    String authority = usual ? service.getHost() : service.getHost() + ":" + port;
    String prefix = trimmed(url.getPath());
    return new S3Place(
        url.getScheme() + "://" + bucket + prefix,
        "s3://" + bucket + Signature.encode(prefix, true) + of(service, base),
        scheme,
        virtual ? bucket + "." + authority : authority,
        virtual ? base : base + SLASH + Signature.encode(bucket, true),
        prefix.isEmpty() ? "" : prefix.substring(1) + SLASH,
        region,
        putHeaders);
  }

  /** A service; nothing for Amazon's, where a name is of one bucket, except that of its own. */
  private static String of(URI service, String base) {
    String host = service.getHost().toLowerCase(Locale.ROOT);
    boolean isAmazon = host.endsWith(".amazonaws.com") && !host.contains("-gov-");
    String port = service.getPort() < 0 ? "" : ":" + service.getPort();
    return isAmazon ? "" : "?endpoint=" + service.getScheme() + "://" + host + port + base;
  }

  /** Without the slashes at its end. */
  private static String trimmed(String path) {
    String trimmed = path == null ? "" : path;
    while (trimmed.endsWith(SLASH)) {
      trimmed = trimmed.substring(0, trimmed.length() - 1);
    }
    return trimmed;
  }

  /** The path of an object, encoded. */
  String objectPath(String key) {
    return path + SLASH + Signature.encode(prefix + key, true);
  }

  /** The path of the bucket itself. */
  String bucketPath() {
    return path.isEmpty() ? SLASH : path;
  }

  @Override
  public String toString() {
    return name;
  }
}
