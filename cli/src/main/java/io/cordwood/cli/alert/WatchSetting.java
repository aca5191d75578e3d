package io.cordwood.cli.alert;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The surroundings of a watch.
 *
 * @param clock by which windows are due
 * @param news hears each change, in a line
 * @param trouble hears in a line of what fails when it begins to
 * @param firstPause after a message that could not be sent; doubles up to five minutes
 */
public record WatchSetting(
    InstantSource clock, Consumer<String> news, Consumer<String> trouble, Duration firstPause) {
  private static final int MAX_LINE = 1000;

  void say(String line) {
    news.accept(plain(line));
  }

  void warn(String line) {
    trouble.accept(plain(line));
  }

  /** A line of one line, however the records are that it tells of. */
  private static String plain(String line) {
    String plain = line.replaceAll("[\\p{Cc}\\p{Cf}]", " ");
    return plain.length() > MAX_LINE ? plain.substring(0, MAX_LINE) + "…" : plain;
  }
}
