package io.cordwood.cli.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws a bar after each line of a histogram: the longest for the largest sum of its numbers. */
final class HistogramBars {
  /** With a time and a number or two, that fits into 80 columns. */
  private static final int MAX_COLUMNS = 40;

  private static final int EIGHTHS = 8;
  private static final String PARTS = " ▏▎▍▌▋▊▉█";

  private HistogramBars() {}

  /** The lines, each with its numbers below those of the others and a bar. */
  static List<String> drawn(List<String> lines) {
    List<String[]> rows = lines.stream().map(line -> line.split(" ", -1)).toList();
    double most = rows.stream().mapToDouble(HistogramBars::sum).max().orElse(0);
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> drawn = new ArrayList<>();
    for (String[] row : rows) {
      var line = new StringBuilder(row[0] + " ".repeat(widths[0] - row[0].length()));
      for (int i = 1; i < columns; i++) {
        line.append(' ').append(" ".repeat(widths[i] - row[i].length())).append(row[i]);
      }
      drawn.add((line + " " + bar(sum(row), most)).stripTrailing());
    }
    return drawn;
  }

  private static double sum(String[] row) {
    return Arrays.stream(row).skip(1).mapToDouble(Double::parseDouble).sum();
  }

  /** Something of any number but 0. */
  private static String bar(double number, double most) {
    if (number == 0) {
      return "";
    }
    long eighths = Math.max(1, Math.round(number / most * MAX_COLUMNS * EIGHTHS));
    return PARTS.substring(EIGHTHS).repeat((int) (eighths / EIGHTHS))
        + PARTS.charAt((int) (eighths % EIGHTHS));
  }
}
