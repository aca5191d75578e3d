package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordwood grep} on a terminal, which {@code script} makes. */
final class PagerIT {
  /**
   * How far the search has come, drawn and erased: on a slow machine, and as often as it is slow.
   */
  private static final Pattern PROGRESS =
      Pattern.compile("\r\033\\[K(\033\\[\\?7l[^\r\n]*?\033\\[\\?7h)?");

  @TempDir private Path folder;
  private NodeProcess node;

  @BeforeEach
  void start() throws IOException {
    node = NodeProcess.start(folder.resolve("node"));
    node.send("one line\nan\033[2Jother line\n");
    node.awaitCount("line", 2);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** What a terminal shows. */
  private String terminal(String pager, String arguments) throws IOException {
    String grep = "\"$CORDWOOD\" grep --node localhost:" + node.apiPort() + " " + arguments;
    String script =
        "export TERM=xterm PAGER=" + pager + "\nscript -qec '" + grep + "; echo code $?' /dev/null";
    try (Program shell = Program.shell(folder, script)) {
      shell.in().close();
      String shown = shell.end().text().replace("\r\n", "\n");
      return PROGRESS.matcher(shown).replaceAll("");
    }
  }

  @Test
  void recordsPassThePagerHarmlessAndInColour() throws IOException {
    if (!Tool.hasScript()) {
      return;
    }
    String line = "\033[01;31mline\033[m";
    assertThat(terminal("'sed s/^/shown:/'", "line"))
        .isEqualTo("shown:one " + line + "\nshown:an^[[2Jother " + line + "\ncode 0\n");
    assertThat(terminal("'sed s/^/shown:/'", "--no-pager --color=never one"))
        .isEqualTo("one line\ncode 0\n");
    assertThat(terminal("'sed s/^/shown:/'", "-c line")).isEqualTo("2\ncode 0\n");
    assertThat(terminal("cat", "--color=never one")).isEqualTo("one line\ncode 0\n");
    assertThat(terminal("'echo never started'", "absent")).isEqualTo("code 1\n");
    assertThat(terminal("'head -n 1'", "--color=never line")).isEqualTo("one line\ncode 0\n");
    assertThat(terminal("true", "line")).isEqualTo("code 0\n");
  }
}
