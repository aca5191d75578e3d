package io.cordwood.common.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A host name or IP address with a port, as people write it: {@code host:port}, {@code [v6]:port}.
 *
 * <p>The host is kept as written and is not resolved here, so that whoever connects can resolve it
 * anew each time. An IPv6 address is held without its brackets.
 */
public record HostPort(String host, int port) {
  public static final int MAX_PORT = 65_535;

  /** The longest host name that DNS allows. */
  public static final int MAX_HOST_CHARS = 253;

  /**
   * @throws IllegalArgumentException if the host is empty, too long or holds anything but letters,
   *     digits, dots, hyphens, underscores (or colons and a zone, for IPv6), or the port is outside
   *     0 to 65535
   */
  public HostPort {
    checkHost(host);
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "expected a port from 0 to " + MAX_PORT + ", found " + port);
    }
  }

  /**
   * Reads {@code host:port}, {@code [v6]:port}, or a bare host, which gets the default port.
   *
   * @throws IllegalArgumentException if the text is anything else; the message quotes it
   */
  public static HostPort parse(String text, int defaultPort) {
    try {
      return text.startsWith("[")
          ? parseBracketed(text, defaultPort)
          : parsePlain(text, defaultPort);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected host:port or [v6 address]:port, found '"
              + shortened(text)
              + "': "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Looks the host up now and takes one of its addresses at random, so that a name which stands for
   * many nodes leads to each of them in turn. Blocks on the name service unless the host is an IP
   * address.
   *
   * @throws UnknownHostException if the name is not known
   */
  public InetSocketAddress resolve() throws UnknownHostException {
    InetAddress[] all = InetAddress.getAllByName(host);
    return new InetSocketAddress(all[ThreadLocalRandom.current().nextInt(all.length)], port);
  }

  /** {@code host:port}, with brackets around an IPv6 address; {@link #parse} reads it back. */
  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }

  private static HostPort parseBracketed(String text, int defaultPort) {
    int close = text.indexOf(']');
    if (close < 0) {
      throw new IllegalArgumentException("no closing bracket");
    }
    String host = text.substring(1, close);
    if (host.indexOf(':') < 0) {
      throw new IllegalArgumentException("only an IPv6 address has brackets");
    }
    String rest = text.substring(close + 1);
    if (rest.isEmpty()) {
      return new HostPort(host, defaultPort);
    }
    if (rest.charAt(0) != ':') {
      throw new IllegalArgumentException("expected ':' after the bracket");
    }
    return new HostPort(host, parsePort(rest.substring(1)));
  }

  private static HostPort parsePlain(String text, int defaultPort) {
    if (text.indexOf('/') >= 0) {
      throw new IllegalArgumentException("a '/', as only a URL has");
    }
    int colon = text.indexOf(':');
    if (colon < 0) {
      return new HostPort(text, defaultPort);
    }
    if (text.indexOf(':', colon + 1) >= 0) {
      throw new IllegalArgumentException("an IPv6 address needs brackets");
    }
    return new HostPort(text.substring(0, colon), parsePort(text.substring(colon + 1)));
  }

  private static int parsePort(String text) {
    if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException("the port is not a number");
    }
    return Integer.parseInt(text);
  }

  private static void checkHost(String host) {
    if (host.isEmpty() || host.length() > MAX_HOST_CHARS) {
      throw new IllegalArgumentException(
          "expected a host of 1 to " + MAX_HOST_CHARS + " characters, found " + host.length());
    }
    boolean v6 = host.indexOf(':') >= 0;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (!isHostChar(c) && !(v6 && (c == ':' || c == '%'))) {
        throw new IllegalArgumentException("the host holds a character that no host name has");
      }
    }
    if (v6) {
      checkV6(host.replaceFirst("%.+", ""));
    }
  }

  private static void checkV6(String address) {
    try {
      var _ = Inet6Address.ofLiteral(address);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the host has a ':', and is no IPv6 address", e);
    }
  }

  private static boolean isHostChar(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_';
  }

  private static String shortened(String text) {
    return text.length() <= MAX_HOST_CHARS ? text : text.substring(0, MAX_HOST_CHARS) + "…";
  }
}
