package io.cordwood.query.logql;

import io.cordwood.query.match.PatternSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Regular expressions for the addresses of a range, as they stand in a text. A range is cut into
 * parts in which the first numbers are fixed, one is of a range, and those after it are any.
 *
 * <p>No number or dot stands right before an address of version 4, and none right after it; dots
 * may end it, as they end a sentence. Of version 6 these are hexadecimal digits, colons and dots,
 * and one colon or dot may follow. Either letter case, zeros before a number, {@code ::} in place
 * of zeros wherever it may stand, and the last 32 bits as an address of version 4 are known.
 */
final class AddressRegex {
  private static final int GROUPS = 8;
  private static final int MAX_GROUP = 0xFFFF;
  private static final int MAX_OCTET = 0xFF;

  /** As many characters as the engine takes, without what stands around them. */
  private static final int MAX_LENGTH = PatternSpec.MAX_PATTERN_BYTES - 100;

  /** A number of an address, from a first to a last. */
  private record Part(int first, int last) {
    boolean mayBeZero() {
      return first == 0;
    }
  }

  private AddressRegex() {}

  /**
   * Makes them: one of version 4, and of version 6 as many as have to be, to be short enough.
   *
   * @param low the first address, of 4 or 16 bytes
   * @param high the last one
   */
  static List<String> of(byte[] low, byte[] high) {
    if (low.length == 4) {
      String all = version4(numbers(low, 1), numbers(high, 1));
      return List.of("(?:^|[^0-9.])(?:" + all + ")\\.*(?:$|[^0-9.])");
    }
    List<String> some = new ArrayList<>();
    List<String> regexes = new ArrayList<>();
    int length = 0;
    for (List<Part> parts : cut(numbers(low, 2), numbers(high, 2), 0, MAX_GROUP)) {
      for (String each : version6(parts)) {
        if (length + each.length() > MAX_LENGTH) {
          regexes.add(whole(some));
          some.clear();
          length = 0;
        }
        some.add(each);
        length += each.length() + 1;
      }
    }
    regexes.add(whole(some));
    return regexes;
  }

  private static String whole(List<String> version6) {
    return "(?i)(?:^|[^0-9a-f:.])(?:" + String.join("|", version6) + ")[:.]?(?:$|[^0-9a-f:.])";
  }

  private static int[] numbers(byte[] bytes, int size) {
    int[] numbers = new int[bytes.length / size];
    for (int i = 0; i < bytes.length; i++) {
      numbers[i / size] = (numbers[i / size] << 8) | (bytes[i] & 0xFF);
    }
    return numbers;
  }

  /** All addresses between two, both included. */
  private static List<List<Part>> cut(int[] low, int[] high, int from, int max) {
    boolean free = true;
    for (int i = from; i < low.length; i++) {
      free &= low[i] == 0 && high[i] == max;
    }
    if (free || from == low.length - 1) {
      List<Part> rest = new ArrayList<>();
      for (int i = from; i < low.length; i++) {
        rest.add(new Part(low[i], high[i]));
      }
      return List.of(rest);
    } else if (low[from] == high[from]) {
      return with(low[from], low[from], cut(low, high, from + 1, max));
    }
    return between(low, high, from, max);
  }

  private static List<List<Part>> between(int[] low, int[] high, int from, int max) {
    int[] least = new int[low.length];
    int[] most = new int[low.length];
    Arrays.fill(most, max);
    List<List<Part>> all = new ArrayList<>();
    boolean lowIsWhole = Arrays.equals(low, from + 1, low.length, least, from + 1, low.length);
    boolean highIsWhole = Arrays.equals(high, from + 1, low.length, most, from + 1, low.length);
    int first = lowIsWhole ? low[from] : low[from] + 1;
    int last = highIsWhole ? high[from] : high[from] - 1;
    if (!lowIsWhole) {
      all.addAll(with(low[from], low[from], cut(low, most, from + 1, max)));
    }
    if (first <= last) {
      all.addAll(with(first, last, cut(least, most, from + 1, max)));
    }
    if (!highIsWhole) {
      all.addAll(with(high[from], high[from], cut(least, high, from + 1, max)));
    }
    return all;
  }

  private static List<List<Part>> with(int first, int last, List<List<Part>> rests) {
    List<List<Part>> all = new ArrayList<>();
    for (List<Part> rest : rests) {
      List<Part> parts = new ArrayList<>(List.of(new Part(first, last)));
      parts.addAll(rest);
      all.add(parts);
    }
    return all;
  }

  private static String version4(int[] low, int[] high) {
    List<String> all = new ArrayList<>();
    for (List<Part> parts : cut(low, high, 0, MAX_OCTET)) {
      all.add(String.join("\\.", parts.stream().map(AddressRegex::octet).toList()));
    }
    return String.join("|", all);
  }

  private static String octet(Part part) {
    return DigitRange.regex(part.first, part.last, 10, 3, false);
  }

  private static String group(Part part) {
    return DigitRange.regex(part.first, part.last, 16, 4, true);
  }

  /** All ways to write such addresses: whole, and with {@code ::} from each group on. */
  private static List<String> version6(List<Part> parts) {
    List<String> groups = parts.stream().map(AddressRegex::group).toList();
    Part before = parts.get(GROUPS - 2);
    Part end = parts.get(GROUPS - 1);
    String version4 =
        "(?:"
            + version4(
                new int[] {
                  before.first >> 8, before.first & 0xFF, end.first >> 8, end.first & 0xFF
                },
                new int[] {before.last >> 8, before.last & 0xFF, end.last >> 8, end.last & 0xFF})
            + ")";
    List<String> all = new ArrayList<>();
    String first = String.join(":", groups.subList(0, GROUPS - 2)) + ":";
    all.add(
        first
            + "(?:"
            + groups.get(GROUPS - 2)
            + ":"
            + groups.get(GROUPS - 1)
            + "|"
            + version4
            + ")");
    for (int from = 0; from < GROUPS; from++) {
      if (parts.get(from).mayBeZero()) {
        String head = String.join(":", groups.subList(0, from)) + "::";
        all.add(head + afterZeros(parts, groups, from, version4));
      }
    }
    return all;
  }

  /** The text after {@code ::} in place of one group or more, the first of them known. */
  private static String afterZeros(
      List<Part> parts, List<String> groups, int from, String version4) {
    int most = from + 1;
    while (most < GROUPS && parts.get(most).mayBeZero()) {
      most++;
    }
    String numbers = rest(groups, from + 1, most, GROUPS);
    if (from >= GROUPS - 2) {
      return numbers;
    }
    List<String> some = new ArrayList<>(groups.subList(0, GROUPS - 2));
    some.add(version4);
    return "(?:"
        + numbers
        + "|"
        + rest(some, from + 1, Math.min(most, GROUPS - 2), GROUPS - 1)
        + ")";
  }

  /** Groups up to an end, of which those before {@code must} may be left out, the first first. */
  private static String rest(List<String> groups, int from, int must, int end) {
    var some = new StringBuilder();
    int last = Math.min(must, end - 1);
    for (int i = from; i < last; i++) {
      some.insert(0, "(?:").append(groups.get(i)).append(":)?");
    }
    if (must == end && from < end) {
      return "(?:" + some + groups.get(end - 1) + ")?";
    }
    return some + String.join(":", groups.subList(must, end));
  }
}
