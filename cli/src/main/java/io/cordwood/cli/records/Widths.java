package io.cordwood.cli.records;

import java.util.Arrays;
import java.util.List;

/** How wide columns were so far, so that the next line's stand below them. One thread. */
final class Widths {
  /** A column is no wider; what is longer sticks out. */
  private static final int MAX = 60;

  private static final String GAP = "  ";

  private int[] widths = {};

  /** Notes how wide columns are. */
  void note(List<String> columns) {
    if (columns.size() > widths.length) {
      widths = Arrays.copyOf(widths, columns.size());
    }
    for (int i = 0; i < columns.size(); i++) {
      widths[i] = Math.max(widths[i], Math.min(width(columns.get(i)), MAX));
    }
  }

  /** A line of them, which are noted, with spaces between. */
  String aligned(List<String> columns) {
    note(columns);
    var line = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      line.append(column);
      if (i < columns.size() - 1) {
        line.repeat(' ', Math.max(0, widths[i] - width(column))).append(GAP);
      }
    }
    return line.toString();
  }

  private static int width(String column) {
    return column.codePointCount(0, column.length());
  }
}
