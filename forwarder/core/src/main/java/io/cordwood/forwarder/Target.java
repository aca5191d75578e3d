package io.cordwood.forwarder;

import java.util.regex.Pattern;

/**
 * An address of an ingest node: a host name or IP address, and a TCP port. The name is looked up
 * again at each connect, so a node may move.
 *
 * @param host a name, an IPv4 address or an IPv6 address without brackets
 * @param port 1..65535
 * @param tls whether the node speaks TLS there
 */
public record Target(String host, int port, boolean tls) {
  private static final String TLS = "tls://";
  private static final int MAX_PORT = 65_535;
  private static final Pattern IPV6 =
      Pattern.compile("(?=.*::|([^:]*:){7}[^:]*$)[0-9a-fA-F:.]+(%.+)?");

  public Target {
    if (host.isBlank()) {
      throw new IllegalArgumentException("expected a host name or address, found an empty one");
    }
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("expected a port of 1.." + MAX_PORT + ", found " + port);
    }
  }

  /** In plain text. */
  public Target(String host, int port) {
    this(host, port, false);
  }

  private Target withTls() {
    return new Target(host, port, true);
  }

  /**
   * Reads {@code host}, {@code host:port}, {@code [ipv6]:port} or a bare IPv6 address; after {@code
   * tls://} for TLS.
   *
   * @param defaultPort is taken where the text names none
   */
  public static Target parse(String text, int defaultPort) {
    if (text.startsWith(TLS)) {
      return parse(text.substring(TLS.length()), defaultPort).withTls();
    }
    if (text.startsWith("[")) {
      return bracketed(text, defaultPort);
    }
    int colon = text.indexOf(':');
    if (colon != text.lastIndexOf(':') && !IPV6.matcher(text).matches()) {
      throw new IllegalArgumentException("expected host:port or an IPv6 address, found " + text);
    }
    if (colon < 0 || colon != text.lastIndexOf(':')) {
      return new Target(text, defaultPort);
    }
    return new Target(text.substring(0, colon), port(text, text.substring(colon + 1)));
  }

  private static Target bracketed(String text, int defaultPort) {
    int end = text.indexOf(']');
    if (end < 0) {
      throw new IllegalArgumentException("expected [address]:port, found " + text);
    }
    String host = text.substring(1, end);
    String rest = text.substring(end + 1);
    if (rest.isEmpty()) {
      return new Target(host, defaultPort);
    }
    if (!rest.startsWith(":")) {
      throw new IllegalArgumentException("expected [address]:port, found " + text);
    }
    return new Target(host, port(text, rest.substring(1)));
  }

  private static int port(String text, String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("expected host:port, found " + text, e);
    }
  }

  @Override
  public String toString() {
    return (tls ? TLS : "") + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
