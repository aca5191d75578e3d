package io.cordwood.cli.program;

import io.cordwood.common.text.Spelling;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Says what a user may have meant by a word that a command does not know. */
final class Suggestions {
  private Suggestions() {}

  /** {@code "; did you mean --topic?"}, or nothing if no name is near. */
  static String of(String word, CommandLine line) {
    String name = word.startsWith("-") ? word.replaceFirst("=.*", "") : word;
    return Spelling.nearest(name, names(word, line))
        .map(near -> "; did you mean " + near + "?")
        .orElse("");
  }

  private static List<String> names(String word, CommandLine line) {
    List<String> names = new ArrayList<>();
    if (word.startsWith("-")) {
      for (OptionSpec option : line.getCommandSpec().options()) {
        names.addAll(List.of(option.names()));
      }
    } else {
      names.addAll(line.getSubcommands().keySet());
    }
    return names;
  }
}
