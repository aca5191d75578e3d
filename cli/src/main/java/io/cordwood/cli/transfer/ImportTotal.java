package io.cordwood.cli.transfer;

import java.time.Instant;

/** Sums over all files that were imported. One thread. */
final class ImportTotal {
  private int files;
  private long lines;
  private long withoutTime;
  private Instant from = Instant.MAX;
  private Instant to = Instant.MIN;

  void add(TimedLines file) {
    files++;
    if (file.lines() == 0) {
      return;
    }
    lines += file.lines();
    withoutTime += file.withoutTime();
    from = file.from().isBefore(from) ? file.from() : from;
    to = file.to().isAfter(to) ? file.to() : to;
  }

  boolean isNothing() {
    return lines == 0;
  }

  /** All of it in a line. */
  String text(long nanos) {
    String span = isNothing() ? "" : ", from " + from + " to " + to + ",";
    String lacking =
        withoutTime == 0
            ? ""
            : "; %d had no time and got that of the line before".formatted(withoutTime);
    return "%d lines of %d files%s acknowledged in %.1f s%s"
        .formatted(lines, files, span, nanos / 1e9, lacking);
  }
}
