package io.cordwood.query.match;

import java.util.Random;

/** Makes regular expressions by their grammar, over an alphabet small enough to match often. */
final class RandomRegex {
  private static final String[] ATOMS = {
    "a",
    "b",
    "B",
    "c",
    "k",
    "s",
    "1",
    "_",
    " ",
    "-",
    "é",
    "ſ",
    ".",
    "[ab]",
    "[^a]",
    "[b-d]",
    "[^é]",
    "\\d",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "[[:upper:]]",
    "\\p{Greek}",
    "\\x61",
    "\\x{e9}",
    "[^\\w]",
    "\\.",
    "[a-c1]",
    "日"
  };
  private static final String[] ASSERTIONS = {"^", "$", "\\b", "\\B", "\\A", "\\z"};
  private static final String[] REPEATS = {
    "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{0,3}"
  };

  private final Random random;

  RandomRegex(Random random) {
    this.random = random;
  }

  String next(int depth) {
    StringBuilder pattern = new StringBuilder();
    int branches = random.nextInt(4) == 0 ? 2 : 1;
    for (int i = 0; i < branches; i++) {
      pattern.append(i == 0 ? "" : "|");
      int parts = 1 + random.nextInt(4);
      for (int j = 0; j < parts; j++) {
        part(pattern, depth);
      }
    }
    return pattern.toString();
  }

  private void part(StringBuilder pattern, int depth) {
    if (random.nextInt(8) == 0) {
      pattern.append(pick(ASSERTIONS));
      return;
    }
    if (depth > 0 && random.nextInt(4) == 0) {
      String[] opens = {"(", "(?:", "(?i:", "(?P<n" + random.nextInt(1_000_000) + ">"};
      pattern.append(pick(opens)).append(next(depth - 1)).append(')');
    } else {
      pattern.append(pick(ATOMS));
    }
    if (random.nextInt(3) == 0) {
      pattern.append(pick(REPEATS));
    }
  }

  String record() {
    String alphabet = "aabbBcCkKsSſK11_ -.éÉω日x";
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private String pick(String[] from) {
    return from[random.nextInt(from.length)];
  }
}
