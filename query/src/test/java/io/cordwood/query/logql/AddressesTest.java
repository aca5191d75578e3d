package io.cordwood.query.logql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of IP addresses, beside the addresses of the JDK. */
final class AddressesTest {
  private static final Pattern VERSION_4 =
      Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  /** The JDK also takes longer numbers, with zeros before them. */
  private static final Pattern VERSION_6 =
      Pattern.compile("([0-9a-fA-F]{0,4}:){2,}([0-9a-fA-F]{0,4}|" + VERSION_4 + ")");

  private final SplittableRandom random = new SplittableRandom(9);

  private static Matcher matcher(List<String> regexes) {
    return Matchers.compile(new PatternSpec(regexes, true, false, PatternSpec.Extent.PART));
  }

  private static boolean finds(Matcher matcher, String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    return matcher.find(bytes, 0, bytes.length, (byte) '\n') >= 0;
  }

  private static boolean finds(String range, String line) {
    return finds(matcher(Addresses.parse(range, 0).regexes()), line);
  }

  /** The bytes of a text that the JDK takes for an address; none if it does not. */
  private static byte[] bytes(String text) {
    try {
      if (VERSION_4.matcher(text).matches()) {
        return InetAddress.ofLiteral(text).getAddress();
      } else if (VERSION_6.matcher(text).matches()) {
        byte[] found = Inet6Address.ofLiteral(text).getAddress();
        byte[] whole = new byte[16];
        Arrays.fill(whole, 10, 12, (byte) -1);
        System.arraycopy(found, 0, whole, 16 - found.length, found.length);
        return whole;
      }
    } catch (IllegalArgumentException e) {
      // It is none.
    }
    return new byte[0];
  }

  /** Whether a part of a line is an address of a range, and stands alone as one has to. */
  private static boolean has(Addresses range, String line) {
    String of = range.low().length == 4 ? "0123456789." : "0123456789abcdefABCDEF:.";
    int[] ends = IntStream.rangeClosed(0, line.length()).filter(to -> ends(line, to, of)).toArray();
    for (int from = 0; from < line.length(); from++) {
      if (from == 0 || of.indexOf(line.charAt(from - 1)) < 0) {
        for (int to : ends) {
          if (to >= from + 2 && to <= from + 45 && isIn(range, bytes(line.substring(from, to)))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean ends(String line, int to, String of) {
    String rest = line.substring(to);
    String left =
        of.contains(":") ? rest.replaceFirst("^[:.]", "") : rest.replaceFirst("^\\.+", "");
    return Stream.of(rest, left).anyMatch(each -> each.isEmpty() || of.indexOf(each.charAt(0)) < 0);
  }

  private static boolean isIn(Addresses range, byte[] address) {
    return address.length == range.low().length
        && Arrays.compareUnsigned(range.low(), address) <= 0
        && Arrays.compareUnsigned(address, range.high()) <= 0;
  }

  @Test
  void linesAreFoundAsByTheAddressesOfTheJdk() {
    int found = 0;
    for (int i = 0; i < 400; i++) {
      int size = i % 2 == 0 ? 4 : 16;
      BigInteger base = number(size);
      Addresses range = Addresses.parse(range(base, size), 0);
      Matcher matcher = matcher(range.regexes());
      for (int j = 0; j < 40; j++) {
        String line = line(range, size);
        boolean expected = has(range, line);
        assertThat(finds(matcher, line)).as("%s in '%s'", range, line).isEqualTo(expected);
        found += expected ? 1 : 0;
      }
    }
    assertThat(found).isBetween(4000, 12_000);
  }

  private BigInteger number(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (random.nextInt(3) > 0 ? 0 : oneOf(1, 9, 10, 99, 100, 199, 249, 255));
    }
    return new BigInteger(1, bytes);
  }

  private String range(BigInteger base, int size) {
    BigInteger last = BigInteger.ONE.shiftLeft(8 * size).subtract(BigInteger.ONE);
    return switch (random.nextInt(4)) {
      case 0 -> text(base, size);
      case 1, 2 -> text(base, size) + "/" + random.nextInt(8 * size + 1);
      default ->
          text(base, size)
              + "-"
              + text(
                  base.add(BigInteger.valueOf(random.nextLong(1L << random.nextInt(1, 62))))
                      .min(last),
                  size);
    };
  }

  private String line(Addresses range, int size) {
    List<String> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      BigInteger near =
          new BigInteger(1, random.nextBoolean() ? range.low() : range.high())
              .add(BigInteger.valueOf(oneOf(-256, -1, 0, 0, 1, 256)));
      BigInteger taken = random.nextInt(4) == 0 ? number(size) : near;
      parts.add(
          oneOf("", "", " ", "x", "a", "1", ".", ":", "[", "é", "::")
              + text(taken.mod(BigInteger.ONE.shiftLeft(8 * size)), size)
              + oneOf("", "", " ", "x", "a", "1", ".", "..", ":", "]:80", "%eth0", ".1", ":1"));
    }
    return String.join(oneOf(" ", "", "-"), parts);
  }

  private String text(BigInteger number, int size) {
    byte[] bytes = new byte[size];
    byte[] some = number.toByteArray();
    int length = Math.min(size, some.length);
    System.arraycopy(some, some.length - length, bytes, size - length, length);
    return size == 4 ? dotted(bytes, 0) : version6(bytes);
  }

  private static String dotted(byte[] bytes, int from) {
    return "%d.%d.%d.%d"
        .formatted(
            bytes[from] & 0xFF,
            bytes[from + 1] & 0xFF,
            bytes[from + 2] & 0xFF,
            bytes[from + 3] & 0xFF);
  }

  /** With zeros before numbers or without, in either case, and short or not. */
  private String version6(byte[] bytes) {
    boolean isDotted = random.nextInt(4) == 0;
    List<String> groups = new ArrayList<>();
    for (int i = 0; i < (isDotted ? 12 : 16); i += 2) {
      int group = ((bytes[i] & 0xFF) << 8) | (bytes[i + 1] & 0xFF);
      groups.add(oneOf("%x", "%04x", "%X").formatted(group));
    }
    if (isDotted) {
      groups.add(dotted(bytes, 12));
    }
    int from = random.nextInt(groups.size());
    int to = from;
    while (to < groups.size() && groups.get(to).matches("0+") && random.nextInt(6) > 0) {
      to++;
    }
    return to == from
        ? String.join(":", groups)
        : String.join(":", groups.subList(0, from))
            + "::"
            + String.join(":", groups.subList(to, groups.size()));
  }

  @SafeVarargs
  private <T> T oneOf(T... some) {
    return some[random.nextInt(some.length)];
  }

  @Test
  void addressesAreNotPartsOfOthers() {
    assertThat(finds("3.180.71.3", "3.180.71.3 - - GET /")).isTrue();
    assertThat(finds("3.180.71.3", "93.180.71.3 - - GET /")).isFalse();
    assertThat(finds("3.180.71.3", "3.180.71.31")).isFalse();
    assertThat(finds("10.0.0.0/8", "from 10.1.2.3:8080, again.")).isTrue();
    assertThat(finds("10.0.0.0/8", "version 10.1.2.3.4")).isFalse();
    assertThat(finds("10.0.0.0/8", "to 10.1.2.3.")).isTrue();
    assertThat(finds("0.0.0.0/0", "10.01.2.3 1.2.3 256.1.1.1")).isFalse();
    assertThat(finds("192.168.0.1-192.189.10.12", "192.169.255.0")).isTrue();
    assertThat(finds("2001:db8::/32", "[2001:DB8:0::1]:443")).isTrue();
    assertThat(finds("2001:db8::1-2001:db8::8", "2001:db8:0:0:0:0:0:9")).isFalse();
    assertThat(finds("::ffff:10.0.0.0/104", "::ffff:10.9.8.7")).isTrue();
    assertThat(finds("::1", "std::1 ::1")).isTrue();
  }

  /** Blocks without it are skipped. */
  @Test
  void whatAllAddressesOfARangeBeginWithIsLookedFor() {
    assertThat(matcher(Addresses.parse("192.168.7.0/24", 0).regexes()).required())
        .anySatisfy(clause ->
            assertThat(clause.literals())
                .extracting(literal -> new String(literal, StandardCharsets.UTF_8))
                .containsExactly("192.168.7."));
  }

  @Test
  void theLongestExpressionsAreTaken() {
    String range = "1:1:1:1:1:1:1:1-fffe:fffe:fffe:fffe:fffe:fffe:fffe:fffe";
    assertThat(finds(range, "2::")).isTrue();
    assertThat(finds(range, "1:1::")).isFalse();
    assertThat(finds("1.1.1.1-254.254.254.254", "254.254.254.255")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.2.3",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.4/33",
        "1.2.3.4/",
        "::/129",
        "::/+1",
        "1.2.3.4-",
        "1.2.3.4-1.2.3.3",
        "1.2.3.4-::1",
        "example.com",
        "fe80::1%eth0",
        "[::1]",
        ":",
        "1.2.3.4 ",
        "1:2:3:4:5:6:7:8:9",
        "-",
        "/"
      })
  void whatIsNoRangeIsRefused(String text) {
    assertThatExceptionOfType(LogqlException.class)
        .isThrownBy(() -> Addresses.parse(text, 4))
        .withMessageStartingWith("character 5: expected ")
        .withMessageEndingWith("found \"" + text + "\"");
  }
}
