package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What shells and man make of what is made of the commands. */
final class ManualIT {
  @TempDir private Path folder;

  private static boolean has(String tool) throws IOException {
    return new ProcessBuilder("sh", "-c", "command -v " + tool + " >/dev/null")
            .start()
            .onExit()
            .join()
            .exitValue()
        == 0;
  }

  private String bash(String script) throws IOException {
    Path completion = folder.resolve("completion");
    Files.write(completion, Program.run("completion", "bash").output());
    return Tool.run("bash", "-euc", ". '" + completion + "'\n" + script);
  }

  /** What stands in front of a shell's word is not completed, though it decides what fits. */
  @Test
  void bashCompletesLabelsInConditions() throws IOException {
    if (!has("bash")) {
      Skipped.say("completion of labels by bash", "there is no bash");
      return;
    }
    String complete =
        """
        set +eu
        cordwood() { echo "$3-1"; echo "$3-2"; }
        try() {
          COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=(cordwood grep "$2") COMP_CWORD=2
          COMPREPLY=()
          _cordwood cordwood "$2" grep
          echo "${COMPREPLY[@]}"
        }
        try "cordwood grep --where '@pod=web" '@pod=web'
        try "cordwood grep --where \\"a=b and @pod=web" 'a=b and @pod=web'
        try 'cordwood tail --where @pod=web' web
        try 'cordwood tail --where=@po' po
        try "cordwood grep --where '@pod=web' --inv" --inv
        try 'cordwood grep --where @pod=web --inv' --inv
        try 'cordwood grep --inv' --inv
        """;
    assertThat(bash(complete).lines())
        .containsExactly(
            "@pod=web-1 @pod=web-2",
            "a=b and @pod=web-1 a=b and @pod=web-2",
            "web-1 web-2",
            "po-1 po-2",
            "--invert-match",
            "--invert-match",
            "--invert-match");
  }

  @Test
  void bashCompletesCommandsFlagsAndValues() throws IOException {
    if (!has("bash")) {
      Skipped.say("completion by bash", "there is no bash");
      return;
    }
    String complete =
        """
        set +eu
        try() {
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
          _cordwood
          printf '%s ' $(printf '%s\n' "${COMPREPLY[@]}" | sort)
          echo
        }
        try cordwood gr
        try cordwood he
        try cordwood grep --max
        try cordwood grep -i --inv
        try cordwood segment ver
        try cordwood ingeststore --retent
        try cordwood grep --color a
        try cordwood man gre
        try cordwood forward localhost pom
        try cordwood grep -f pom
        try cordwood grep --he
        complete -p cordwood
        """;
    assertThat(bash(complete).lines().map(String::strip))
        .containsExactly(
            "grep",
            "health help",
            "--max-count",
            "--invert-match",
            "verify",
            "--retention",
            "always auto",
            "grep",
            "",
            "",
            "--help",
            "complete -o bashdefault -o default -F _cordwood cordwood"); // names of files
  }

  @Test
  void fishIsToldOfCommandsFlagsAndValues() throws IOException {
    List<String> lines = Program.run("completion", "fish").text().lines().toList();
    String grep = "complete -c cordwood -n '__fish_seen_subcommand_from grep' ";
    assertThat(lines)
        .anyMatch(line -> line.contains("'__fish_use_subcommand' -f -a tail -d 'Print"))
        .anyMatch(line -> line.startsWith(grep + "-l where -x -a '(cordwood labels --complete "))
        .anyMatch(line -> line.startsWith(grep + "-s m -l max-count -r -d 'The first N"))
        .anyMatch(line -> line.startsWith(grep + "-l color -l colour -x -a 'auto always never'"))
        .contains(
            "complete -c cordwood -n '__fish_seen_subcommand_from segment; and not"
                + " __fish_seen_subcommand_from cat info verify' -f -a verify")
        .noneMatch(line -> line.contains("${"));
    assertThat(lines.subList(1, lines.size())).allMatch(line -> line.startsWith("complete -c "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ingeststore",
        "grep",
        "tail",
        "read",
        "watch",
        "forward",
        "segment",
        "segment cat"
      })
  void manTakesEveryPageWithoutAWarning(String command) throws IOException {
    byte[] page = Program.run(("man " + command).strip().split(" ", -1)).output();
    assertThat(new String(page, UTF_8)).startsWith(".TH CORDWOOD").contains(".SH \"OPTIONS\"");
    if (!has("groff")) {
      Skipped.say("the manual's pages", "there is no groff");
      return;
    }
    Path file = Files.write(folder.resolve("page.1"), page);
    String errors = Tool.run("sh", "-c", "groff -k -man -ww -z -Tutf8 '" + file + "' 2>&1");
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "man grpe, expected a command",
    "completion tcsh, 'tcsh'",
    "completion, Missing required parameter",
  })
  void whatIsNotThereIsSaid(String line, String expected) throws IOException {
    Program.Result result = Program.run(line.split(" ", -1));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors()).contains(expected);
  }
}
