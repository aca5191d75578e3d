package io.cordwood.agent;

import io.cordwood.agent.journal.JournalOptions;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code cordwood forward --journal}. */
final class JournalFlags implements Flags {
  private static final String COMMAND = "journalctl";
  private static final String TOPIC = "journal";

  boolean journal;
  @Nullable String command;
  @Nullable String topic;

  @Override
  public void list(FlagList list) {
    list.flag("--journal")
        .help(
            "Follow the journal of systemd, alone or beside --file: each entry is a record, with"
                + " its unit and host as labels. The checkpoint keeps its cursor.")
        .on(value -> journal = value);
    list.flag("--journal-command")
        .label("COMMAND")
        .help(
            "With --journal: the journalctl to run, with flags of its own after blanks, such as"
                + " 'chroot /host journalctl'. Default: journalctl.")
        .value(String.class, command, value -> command = value);
    list.flag("--journal-topic")
        .label("NAME")
        .help("With --journal: topic of its entries. Default: journal.")
        .value(String.class, topic, value -> topic = value);
  }

  boolean isGiven() {
    return journal;
  }

  /** Refuses what makes sense with {@code --journal} alone. */
  void check() {
    refuse("--journal-command", command != null && !journal);
    refuse("--journal-topic", topic != null && !journal);
  }

  private static void refuse(String flag, boolean given) {
    if (given) {
      throw new CommandException(flag + ": expected with --journal, found without");
    }
  }

  /**
   * The journal to read; null for none.
   *
   * @throws IllegalArgumentException when one of them cannot be; the message says why
   */
  @Nullable JournalOptions options(Labels labels, boolean fromEnd, boolean once) {
    if (!journal) {
      return null;
    }
    List<String> words = List.of((command == null ? COMMAND : command.strip()).split("\\s+", -1));
    if (words.getFirst().isEmpty()) {
      throw new CommandException("--journal-command: expected a command, found none");
    }
    String name = topic == null ? TOPIC : topic;
    try {
      return new JournalOptions(words, TopicName.check(name), labels, fromEnd, once);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--journal-topic: " + e.getMessage(), e);
    }
  }
}
