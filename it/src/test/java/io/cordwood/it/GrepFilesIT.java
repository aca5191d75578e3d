package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code cordwood grep} on files, beside the grep of this machine. */
final class GrepFilesIT {
  private static final long SEED = 17;

  @TempDir private static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    var random = new Random(SEED);
    for (String name : new String[] {"a.log", "b.log"}) {
      var text = new StringBuilder();
      for (int i = 0; i < 3_000; i++) {
        text.append(random.nextInt(5) == 0 ? "ERROR " : "info ");
        text.append("user_").append(random.nextInt(40)).append(" took ");
        text.append(random.nextInt(5_000)).append(" ms, Größe=").append(random.nextInt(100));
        text.append('\n');
      }
      Files.writeString(folder.resolve(name), text);
    }
    Files.writeString(folder.resolve("nul.log"), "one\ntwo\0three\0\nfour\n\0five");
    Files.writeString(folder.resolve("patterns"), "user_7 \ntook 1\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-c ERROR a.log b.log",
        "-h ERROR a.log b.log",
        "-H -m 3 info a.log",
        "-l ERROR a.log b.log",
        "-i error a.log",
        "-v -e ERROR -e user_1 a.log",
        "-w user_1 a.log b.log",
        "-w -c ße a.log",
        "-o -E [0-9]+ a.log",
        "-o -E [0-9]+|[0-9]+.ms b.log",
        "-ow -E [a-z]+|user_[0-9] a.log",
        "-f patterns a.log",
        "-x -E (ERROR|info).user_7.+ a.log",
        "absent a.log",
        "-q ERROR a.log none",
        "-q absent a.log",
        "-sc ERROR none a.log",
        "-L absent a.log b.log",
        "-LZ user_1 a.log",
        "-lZ ERROR a.log b.log",
        "-cZ ERROR a.log b.log",
        "-HZ -m1 -A1 ERROR a.log",
        "-z -c ERROR a.log nul.log",
        "-z -h -o -E [a-z]+.two a.log nul.log",
        "-z -C1 -m1 three nul.log",
        "-zH four nul.log",
        "-m0 ERROR a.log",
        "--color=always -m1 -A2 info a.log",
        "--color=always -o -E user_[0-9]+ a.log"
      })
  void findsWhatGrepFinds(String arguments) throws IOException {
    Program.Result theirs = shell("LC_ALL=C.UTF-8 GREP_COLORS=ne grep " + quoted(arguments));
    Program.Result ours = shell("\"$CORDWOOD\" grep " + quoted(arguments));
    assertThat(ours.errors()).isEmpty();
    assertThat(ours.text()).isEqualTo(theirs.text());
    assertThat(ours.exitCode()).isEqualTo(theirs.exitCode());
  }

  private static String quoted(String arguments) {
    return "'" + arguments.replace(" ", "' '") + "'";
  }

  private static Program.Result shell(String script) throws IOException {
    try (Program program = Program.shell(folder, script)) {
      return program.end();
    }
  }

  @Test
  void standardInputMayBePacked() throws IOException {
    Program.Result result = shell("gzip -c a.log | \"$CORDWOOD\" grep -c '' - b.log");
    assertThat(result.text()).isEqualTo("(standard input):3000\nb.log:3000\n");
  }
}
