package io.cordwood.common.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody may have meant by a name that is not known. */
public final class Spelling {
  private static final int SHORTEST = 3;

  private Spelling() {}

  /**
   * The name that needs the fewest edits, at most one for each three characters of it, or that
   * begins like this. The dashes that flags begin with do not count.
   */
  public static Optional<String> nearest(String word, Collection<String> names) {
    return names.stream()
        .filter(name -> name.length() >= SHORTEST)
        .filter(name -> isNear(word, name))
        .min(
            Comparator.comparingInt((String name) -> edits(word, name))
                .thenComparing(name -> name));
  }

  private static boolean isNear(String word, String name) {
    boolean prefix = word.length() > SHORTEST && name.startsWith(word);
    int dashes = name.length() - name.replaceFirst("^-+", "").length();
    int most = Math.max(1, (name.length() - dashes) / 3);
    // A word may come from anybody, and be long.
    boolean comparable = Math.abs(word.length() - name.length()) <= most;
    return prefix || (comparable && edits(word, name) <= most);
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
