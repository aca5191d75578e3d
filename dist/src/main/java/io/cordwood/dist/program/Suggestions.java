package io.cordwood.dist.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Finds what a user may have meant by a word that a command does not know. */
final class Suggestions {
  private Suggestions() {}

  /** {@code "; did you mean --topic?"}, or nothing if no name is near. */
  static String of(String word, CommandLine line) {
    String name = word.startsWith("-") ? word.replaceFirst("=.*", "") : word;
    return nearest(name, names(word, line)).map(near -> "; did you mean " + near + "?").orElse("");
  }

  private static List<String> names(String word, CommandLine line) {
    List<String> names = new ArrayList<>();
    if (word.startsWith("-")) {
      for (OptionSpec option : line.getCommandSpec().options()) {
        names.addAll(List.of(option.names()));
      }
    } else {
      names.addAll(line.getSubcommands().keySet());
    }
    return names;
  }

  /** The name that needs the fewest edits, at most one for each three characters of it. */
  static Optional<String> nearest(String word, List<String> names) {
    return names.stream()
        .filter(name -> name.length() > 2)
        .filter(name -> isNear(word, name))
        .min(
            Comparator.comparingInt((String name) -> edits(word, name))
                .thenComparing(name -> name));
  }

  private static boolean isNear(String word, String name) {
    boolean prefix = word.length() > 3 && name.startsWith(word);
    return prefix || edits(word, name) <= Math.max(1, name.length() / 3);
  }

  /** Levenshtein's distance, counting the swap of two neighbours as one edit. */
  static int edits(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, from, to, i, j);
      }
    }
    return cost[from.length()][to.length()];
  }

  private static int cheapest(int[][] cost, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
    best = Math.min(best, cost[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
