package io.cordwood.query.logql;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A range of IP addresses: one, two with {@code -} between them, or those of a prefix, {@code
 * 10.0.0.0/8}. Addresses of version 4 are written with four numbers, without zeros before them.
 *
 * @param written as it stands in the query
 * @param low its first address, of 4 or 16 bytes
 * @param high its last one, as many bytes
 */
record Addresses(String written, byte[] low, byte[] high) {
  private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final Pattern VERSION_4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
  private static final Pattern VERSION_6 =
      Pattern.compile("(?:[0-9A-Fa-f]{0,4}:)+(?:[0-9A-Fa-f]{0,4}|" + VERSION_4 + ")");
  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  /**
   * Reads a range.
   *
   * @throws LogqlException if it is none
   */
  static Addresses parse(String text, int at) {
    int slash = text.indexOf('/');
    if (slash >= 0) {
      return prefix(text, bytes(text, text.substring(0, slash), at), slash + 1, at);
    }
    int dash = text.indexOf('-');
    byte[] low = bytes(text, dash < 0 ? text : text.substring(0, dash), at);
    byte[] high = dash < 0 ? low : bytes(text, text.substring(dash + 1), at);
    if (low.length != high.length || Arrays.compareUnsigned(low, high) > 0) {
      throw expected("a first and a last address of one version", text, at);
    }
    return new Addresses(text, low, high);
  }

  private static Addresses prefix(String text, byte[] address, int begin, int at) {
    String number = text.substring(begin);
    int bits = number.matches("\\d{1,3}") ? Integer.parseInt(number) : -1;
    if (bits < 0 || bits > 8 * address.length) {
      throw expected("a number of bits from 0 to " + 8 * address.length + " after /", text, at);
    }
    byte[] low = address.clone();
    byte[] high = address.clone();
    for (int bit = bits; bit < 8 * address.length; bit++) {
      int mask = 0x80 >> (bit % 8);
      low[bit / 8] &= (byte) ~mask;
      high[bit / 8] |= (byte) mask;
    }
    return new Addresses(text, low, high);
  }

  private static byte[] bytes(String text, String address, int at) {
    return of(address)
        .orElseThrow(() ->
            expected("an IP address, two with - between, or one with / and a number", text, at));
  }

  /** The bytes of an address; empty if a text is none. */
  static Optional<byte[]> of(String text) {
    if (VERSION_4.matcher(text).matches()) {
      return Optional.of(Inet4Address.ofLiteral(text).getAddress());
    } else if (!VERSION_6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(mapped(Inet6Address.ofLiteral(text).getAddress()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The JDK takes an address of version 4 in one of version 6 for the former. */
  private static byte[] mapped(byte[] address) {
    if (address.length == 16) {
      return address;
    }
    byte[] whole = Arrays.copyOf(MAPPED, 16);
    System.arraycopy(address, 0, whole, 12, address.length);
    return whole;
  }

  private static LogqlException expected(String what, String text, int at) {
    return new LogqlException(at, "expected " + what + ", found " + Texts.quoted(text));
  }

  /** Regular expressions, one of which matches a text that has one of these addresses in it. */
  List<String> regexes() {
    return AddressRegex.of(low, high);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Addresses that && written.equals(that.written);
  }

  @Override
  public int hashCode() {
    return written.hashCode();
  }

  @Override
  public String toString() {
    return "ip(" + Texts.quoted(written) + ")";
  }
}
