package io.cordwood.query.logql;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which series belong together, and how numbers are compared.
 *
 * @param bool whether comparisons give 1 or 0, instead of leaving out what is not so
 * @param on whether series have the same of these labels, instead of the same others
 * @param names of the labels
 * @param side which has several series for one of the other
 * @param included labels that such a series gets from the one
 */
public record Matching(
    boolean bool, boolean on, List<String> names, Side side, List<String> included) {
  /** Those with the same labels. */
  static final Matching ALL = new Matching(false, false, List.of(), Side.NONE, List.of());

  /** The side that has several series for one of the other. */
  public enum Side {
    NONE,
    LEFT,
    RIGHT
  }

  /** The labels by which a series is matched. */
  public SortedMap<String, String> key(SortedMap<String, String> labels) {
    SortedMap<String, String> key = new TreeMap<>(labels);
    key.keySet().removeIf(name -> names.contains(name) != on);
    return key;
  }

  @Override
  public String toString() {
    var all = new StringBuilder(bool ? " bool" : "");
    if (on || !names.isEmpty()) {
      all.append(on ? " on (" : " ignoring (").append(String.join(", ", names)).append(')');
    }
    if (side != Side.NONE) {
      all.append(side == Side.LEFT ? " group_left (" : " group_right (")
          .append(String.join(", ", included))
          .append(')');
    }
    return all.toString();
  }
}
