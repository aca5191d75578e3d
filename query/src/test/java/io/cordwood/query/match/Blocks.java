package io.cordwood.query.match;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Blocks of records for tests, and all the records of a block that a matcher finds. */
final class Blocks {
  private Blocks() {}

  static byte[] of(List<byte[]> records, byte delimiter) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (byte[] each : records) {
      block.writeBytes(each);
      block.write(delimiter);
    }
    return block.toByteArray();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static boolean matches(Matcher matcher, String record) {
    byte[] block = of(List.of(bytes(record)), (byte) '\n');
    return matcher.find(block, 0, block.length, (byte) '\n') >= 0;
  }

  static boolean matches(PatternSpec spec, String record) {
    return matches(Matchers.compile(spec), record);
  }

  /** The numbers of the records that match, as a query would find them. */
  static List<Integer> matching(Matcher matcher, byte[] block, byte delimiter) {
    List<Integer> found = new ArrayList<>();
    int from = 0;
    int number = 0;
    int at = matcher.find(block, 0, block.length, delimiter);
    while (at >= 0) {
      if (at < from) {
        throw new AssertionError("found at " + at + " when searched from " + from);
      }
      number += Records.count(block, from, at, delimiter);
      found.add(number++);
      from = Records.endOf(block, at, block.length, delimiter) + 1;
      at = matcher.find(block, from, block.length, delimiter);
    }
    return found;
  }
}
