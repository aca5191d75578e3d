package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import java.net.URI;
import java.util.Set;

/** An address that is shown a token: by TLS, or without it if it is reached from one machine. */
final class TokenAddress {
  private static final Set<String> LOCAL =
      Set.of(
          "localhost", "127.0.0.1", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]");

  private TokenAddress() {}

  /**
   * Reads one.
   *
   * @param variable that has it, for the message
   * @throws BucketException if it is none, or a token would go over a network without TLS
   */
  static URI of(String text, String variable) throws BucketException {
    String wanted = "%s: expected https://, or http:// and a local address".formatted(variable);
    URI address;
    try {
      address = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new BucketException(Kind.DENIED, wanted + ", found " + text, e);
    }
    boolean local = "http".equals(address.getScheme()) && LOCAL.contains("" + address.getHost());
    if (!local && !"https".equals(address.getScheme())) {
      throw new BucketException(Kind.DENIED, wanted + ", found " + text);
    }
    return address;
  }
}
