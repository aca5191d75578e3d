package io.cordwood.dist.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE=$* COMP_POINT=${#COMP_LINE}
          COMPREPLY=()
          _complete_cordwood 2>/dev/null # of a builtin that works at a prompt only
          printf '%s ' $(printf '%s\n' "${COMPREPLY[@]}" | sort)
          echo
        }
        try cordwood gr
        try cordwood grep --max
        try cordwood grep -i --inv
        try cordwood segment ver
        try cordwood ingeststore --retent
        try cordwood grep --color a
        """;
    assertThat(bash(complete).lines().map(String::strip))
        .containsExactly(
            "grep", "--max-count", "--invert-match", "verify", "--retention", "always auto");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ingeststore", "grep", "tail", "read", "forward", "segment", "segment cat"})
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
    "completion fish, 'fish'",
    "completion, Missing required parameter",
  })
  void whatIsNotThereIsSaid(String line, String expected) throws IOException {
    Program.Result result = Program.run(line.split(" ", -1));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors()).contains(expected);
  }
}
