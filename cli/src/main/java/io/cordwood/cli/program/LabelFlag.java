package io.cordwood.cli.program;

import io.cordwood.common.wire.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The flag by which commands that send records say where they come from. */
public final class LabelFlag implements Flags {
  List<String> labels = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--label")
        .label("NAME=VALUE")
        .help(
            "What is known of the sender, such as env=prod: a label of all lines. Can be repeated.")
        .list(String.class, labels, value -> labels = value);
  }

  /**
   * The labels by their names, to which others may be added.
   *
   * @throws CommandException if one cannot be a label, or they cannot be together
   */
  public SortedMap<String, String> pairs() {
    var pairs = new TreeMap<String, String>();
    try {
      for (String label : labels) {
        int equals = label.indexOf('=');
        if (equals < 0) {
          throw new CommandException("--label: expected NAME=VALUE, found \"" + label + "\"");
        }
        Labels.add(pairs, label.substring(0, equals), label.substring(equals + 1));
      }
      Labels.of(pairs);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--label: " + e.getMessage(), e);
    }
    return pairs;
  }
}
