package io.cordwood.agent.journal;

import io.cordwood.common.wire.Labels;
import java.util.ArrayList;
import java.util.List;

/**
 * Which entries of the journal are sent, and how.
 *
 * @param command of {@code journalctl}, to which flags are added
 * @param topic of all entries
 * @param labels of all entries; those of an entry go before
 * @param fromEnd whether to begin with the last entry, if there is no cursor
 * @param once whether to end with the last entry that is there
 */
public record JournalOptions(
    List<String> command, String topic, Labels labels, boolean fromEnd, boolean once) {
  public JournalOptions {
    command = List.copyOf(command);
  }

  List<String> command(String cursor) {
    return command(cursor, !once);
  }

  /** For what is there by now. */
  List<String> once(String cursor) {
    return command(cursor, false);
  }

  private List<String> command(String cursor, boolean follows) {
    List<String> words = new ArrayList<>(command);
    words.add("--output=export");
    if (follows) {
      words.add("--follow");
    }
    if (!cursor.isEmpty()) {
      words.add("--after-cursor=" + cursor);
    }
    words.add(cursor.isEmpty() && fromEnd ? "--lines=1" : "--no-tail");
    return words;
  }
}
