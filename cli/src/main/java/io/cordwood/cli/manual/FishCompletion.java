package io.cordwood.cli.manual;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** A script for fish. Files are completed where no flag says otherwise. */
final class FishCompletion {
  private static final String FIRST = "__fish_use_subcommand";

  private FishCompletion() {}

  static String script(CommandLine whole) {
    var script = new StringBuilder("# Completion of 'cordwood' for fish.\n");
    line(script, "true", "-l help", "Flags and examples");
    for (Map.Entry<String, CommandLine> each : whole.getSubcommands().entrySet()) {
      String name = each.getKey();
      line(script, FIRST, "-f -a " + name, ShellWords.description(each));
      CommandLine command = each.getValue();
      String there = "__fish_seen_subcommand_from " + name;
      List<String> words = ShellWords.arguments(name, command, whole);
      for (String word : words) {
        line(script, there + unless(name, words), "-f -a " + word, "");
      }
      Stream.concat(Stream.of(command), command.getSubcommands().values().stream())
          .flatMap(part -> ShellWords.flags(part).stream())
          .forEach(flag -> line(script, there, words(flag), description(flag)));
    }
    return script.toString();
  }

  /** After one of the words come names of files. */
  private static String unless(String name, List<String> words) {
    List<String> others = words.stream().filter(word -> !word.equals(name)).toList();
    return "; and not __fish_seen_subcommand_from " + String.join(" ", others);
  }

  private static String words(OptionSpec flag) {
    var words = new StringBuilder();
    for (String name : flag.names()) {
      words.append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
      words.append(' ');
    }
    List<String> values = ShellWords.values(flag);
    if (List.of(flag.names()).contains("--where")) {
      words.append("-x -a '(cordwood labels --complete (commandline -ct) 2>/dev/null)'");
    } else if (!values.isEmpty()) {
      words.append("-x -a '").append(String.join(" ", values)).append("'");
    } else if (flag.arity().max() > 0) {
      words.append("-r");
    }
    return words.toString().strip();
  }

  private static String description(OptionSpec flag) {
    String whole = String.join(" ", flag.description());
    int end = whole.indexOf(". ");
    String first = end < 0 ? whole : whole.substring(0, end);
    return first.replaceAll("\\$\\{[^}]*}", "…");
  }

  private static void line(StringBuilder script, String when, String words, String description) {
    script.append("complete -c cordwood -n '").append(when).append("' ").append(words);
    if (!description.isEmpty()) {
      script
          .append(" -d '")
          .append(description.replace("\\", "\\\\").replace("'", "\\'"))
          .append("'");
    }
    script.append('\n');
  }
}
