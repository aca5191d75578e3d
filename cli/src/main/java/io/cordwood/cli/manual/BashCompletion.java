package io.cordwood.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A script for bash, and for zsh by its bashcompinit. Where nothing of ours fits, it says nothing,
 * and the shell completes names of files.
 */
final class BashCompletion {
  /**
   * Labels in conditions are asked of a node. Bash completes all of an open quote, but of other
   * text only what stands after its own delimiters: that is the function's second argument, and
   * what is in front of it is kept out of the choices.
   */
  private static final String LABELS =
      """
      _cordwood_labels() {
        local line=${COMP_LINE:0:$COMP_POINT} word=${2#[\\'\\"]} quote= typed all IFS=$'\\n'
        typed=${line##*--where[ =]}
        case $typed in
          "$line") return 1 ;;
          [\\'\\"]*) quote=${typed:0:1} typed=${typed:1} ;;
        esac
        case $quote:$typed in
          :*' '* | ?:*$quote*) return 1 ;;
          *@*) ;;
          *) return 1 ;;
        esac
        all=($(cordwood labels --complete "$typed" 2>/dev/null))
        COMPREPLY=("${all[@]#"${typed%"$word"}"}")
      }
      """;

  private BashCompletion() {}

  static String script(CommandLine whole) {
    List<String> behind = new ArrayList<>();
    List<String> within = new ArrayList<>();
    for (Map.Entry<String, CommandLine> each : whole.getSubcommands().entrySet()) {
      String name = each.getKey();
      CommandLine command = each.getValue();
      for (OptionSpec flag : ShellWords.flags(command)) {
        add(behind, cases(name, flag.names()), ShellWords.values(flag));
      }
      add(behind, name + ":" + name, ShellWords.arguments(name, command, whole));
      add(within, name + ":-*", flags(command));
    }
    add(behind, "help:help", ShellWords.arguments("help", whole, whole));
    String commands = String.join(" ", whole.getSubcommands().keySet()) + " help --help --version";
    return """
    # Completion of 'cordwood' for bash, and for zsh with bashcompinit.
    %s_cordwood() {
      _cordwood_labels "$@" && return
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
      if [ "$COMP_CWORD" -le 1 ]; then
        words='%s'
      else
        case ${COMP_WORDS[1]}:$before in
    %s    esac
        if [ -z "$words" ]; then
          case ${COMP_WORDS[1]}:$word in
    %s      esac
        fi
      fi
      COMPREPLY=($(compgen -W "$words" -- "$word"))
    }
    complete -o bashdefault -o default -F _cordwood cordwood
    """
        .formatted(LABELS, commands, String.join("", behind), String.join("", within));
  }

  private static List<String> flags(CommandLine command) {
    Stream<CommandLine> all =
        Stream.concat(Stream.of(command), command.getSubcommands().values().stream());
    Stream<String> names =
        all.flatMap(each -> ShellWords.flags(each).stream())
            .flatMap(flag -> Stream.of(flag.names()));
    return Stream.concat(names, Stream.of("--help")).distinct().toList();
  }

  private static String cases(String command, String... flags) {
    return String.join(" | ", Stream.of(flags).map(flag -> command + ":" + flag).toList());
  }

  private static void add(List<String> lines, String cases, List<String> words) {
    if (!words.isEmpty()) {
      lines.add("      %s) words='%s' ;;%n".formatted(cases, String.join(" ", words)));
    }
  }
}
