package io.cordwood.query.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Unicode's simple case folding: which characters are the same but for their case. */
final class CaseFolding {
  /** The dotted and dotless i of Turkish: Java maps them to i, simple folding leaves them alone. */
  private static final CodePoints UNFOLDED = CodePoints.range(0x130, 0x131);

  /** No character beyond the supplementary multilingual plane has case. */
  private static final int LAST_CASED = 0x1FFFF;

  /** All the sets of two and more characters that fold to one. */
  private static final List<int[]> ORBITS = orbits();

  private static final Map<Integer, CodePoints> CLOSED = closed();

  private CaseFolding() {}

  private static List<int[]> orbits() {
    Map<Integer, List<Integer>> byFolded = new HashMap<>();
    for (int c = 0; c <= LAST_CASED; c++) {
      int folded = Character.toLowerCase(Character.toUpperCase(c));
      if (folded != c && !UNFOLDED.contains(c)) {
        byFolded.computeIfAbsent(folded, key -> new ArrayList<>(List.of(key))).add(c);
      }
    }
    return byFolded.values().stream()
        .map(orbit -> orbit.stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }

  private static Map<Integer, CodePoints> closed() {
    Map<Integer, CodePoints> closed = new HashMap<>();
    for (int[] orbit : ORBITS) {
      CodePoints all = union(CodePoints.NONE, orbit);
      for (int c : orbit) {
        closed.put(c, all);
      }
    }
    return closed;
  }

  /** The character and all that differs from it by case only. */
  static CodePoints close(int character) {
    CodePoints closed = CLOSED.get(character);
    return closed == null ? CodePoints.of(character) : closed;
  }

  /** The set and all that differs from its members by case only. */
  static CodePoints close(CodePoints set) {
    if (set.equals(CodePoints.ALL)) {
      return set;
    }
    CodePoints closed = set;
    for (int[] orbit : ORBITS) {
      if (containsAny(set, orbit)) {
        closed = union(closed, orbit);
      }
    }
    return closed;
  }

  private static boolean containsAny(CodePoints set, int[] orbit) {
    for (int c : orbit) {
      if (set.contains(c)) {
        return true;
      }
    }
    return false;
  }

  private static CodePoints union(CodePoints set, int[] orbit) {
    CodePoints all = set;
    for (int c : orbit) {
      all = all.contains(c) ? all : all.union(CodePoints.of(c));
    }
    return all;
  }
}
