package io.cordwood.ingest.event;

import java.util.List;
import java.util.Random;

/** Objects of JSON on one line, of any form. */
public final class RandomDocuments {
  private static final List<String> KEYS =
      List.of("host", "host.name", "name", "kubernetes", "pod", "@timestamp", "a", "a", "  {", "");

  private RandomDocuments() {}

  /** One with a number, by which it can be told from others. */
  public static String document(Random random, int number) {
    return "{\"n\":" + number + members(random, 3) + "}";
  }

  private static String members(Random random, int depth) {
    var members = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      members
          .append(random.nextBoolean() ? "," : " ,\t")
          .append('"')
          .append(KEYS.get(random.nextInt(KEYS.size())))
          .append("\":  ")
          .append(value(random, depth));
    }
    return members.toString();
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> "\"ä\\\"\\\\\\n\\ud83d\\ude00 😀  {x}\"";
      case 1 -> String.valueOf(random.nextLong());
      case 2 -> "-1.5E+300";
      case 3 -> "null";
      case 4 -> "\"\"";
      case 5 -> "[true, " + value(random, depth - 1) + "]";
      default -> "{ \"\":1" + members(random, depth - 1) + " }";
    };
  }
}
