package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The line that says how far a search has come, on a terminal, which {@code script} makes. The node
 * of this test is as slow as the test wants; with others {@link PagerIT} asks in the same way.
 */
final class ProgressIT {
  private static final String PROGRESS =
      "{\"progress\":{\"nodes\":2,\"blocks\":9,\"blocks_done\":3,\"bytes\":1000000000,"
          + "\"bytes_done\":300000000,\"matches\":0}}\n";
  private static final String SHOWN = "30% of 1.0 GB, ";
  private static final String ERASE = "\r\033[K";
  private static final int CTRL_C = 3;

  @TempDir private Path folder;
  private final CountDownLatch seen = new CountDownLatch(1);
  private final List<Boolean> asked = new CopyOnWriteArrayList<>();
  private HttpServer node;

  @BeforeEach
  void start() throws IOException {
    var routes = new Routes();
    routes.getOrForm(ApiPaths.QUERY, Params.ANY, this::answer);
    node =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry());
  }

  @AfterEach
  void stop() {
    seen.countDown();
    node.close();
  }

  private void answer(Request request, Response response) throws IOException {
    boolean progress = request.flag(ApiParams.PROGRESS);
    asked.add(progress);
    OutputStream out = response.body();
    if (progress) {
      response.header("content-type", "application/x-cordwood-pieces");
      while (isUnseen()) {
        write(out, PROGRESS);
      }
      write(out, "{\"bytes\":9}\none line\n" + PROGRESS);
    } else {
      write(out, "one line\n");
    }
    response.trailer("cordwood-matches", "1");
    response.trailer("cordwood-verdict", "complete");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private boolean isUnseen() throws IOException {
    try {
      return !seen.await(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Starts grep in a shell on a terminal that nobody types on, with more behind its flags. */
  private Program terminal(String before, String behind) throws IOException {
    Program shell = typed(before, behind);
    shell.in().close();
    return shell;
  }

  /** The same, on a terminal that the test types on, and Ctrl-C is not ignored if it is here. */
  private Program typed(String before, String behind) throws IOException {
    String grep = "\"$CORDWOOD\" grep --node localhost:" + node.port() + " " + behind;
    return Program.shell(
        folder,
        "export TERM=xterm PAGER=cat\nenv --default-signal=INT script -qec '"
            + before
            + " "
            + grep
            + "; echo code $?' /dev/null");
  }

  /** What remains on the terminal, after the line was seen on it. */
  private String seenAndGone(String behind) throws IOException {
    try (Program shell = terminal("", behind)) {
      awaitLine(shell);
      seen.countDown();
      return remaining(shell);
    }
  }

  private static void awaitLine(Program shell) {
    await().until(() -> shell.out().contains(SHOWN) || !shell.isAlive());
  }

  private static String remaining(Program shell) throws IOException {
    String all = shell.end().text().replace("\r\n", "\n");
    assertThat(all).contains(" GB/s, ", " left, 2 nodes");
    return Arrays.stream(all.split("\n", -1))
        .map(ProgressIT::visible)
        .collect(Collectors.joining("\n"));
  }

  private static String visible(String line) {
    int erased = line.lastIndexOf(ERASE);
    return erased < 0 ? line : line.substring(erased + ERASE.length());
  }

  @Test
  void theLineStaysBesideAFileAndIsGoneInTheEnd() throws IOException {
    if (Tool.hasScript()) {
      assertThat(seenAndGone("line > found")).isEqualTo("code 0\n");
      assertThat(Files.readString(folder.resolve("found"))).isEqualTo("one line\n");
    }
  }

  @Test
  void theLineIsGoneBeforeRecordsComeToTheTerminal() throws IOException {
    if (Tool.hasScript()) {
      assertThat(seenAndGone("--color=never line")).isEqualTo("one line\ncode 0\n");
    }
  }

  @Test
  void aProgramThatReadsRecordsHasTheTerminalForItself() throws IOException {
    if (Tool.hasScript()) {
      assertThat(seenAndGone("line | cat")).isEqualTo("one line\ncode 0\n");
    }
  }

  @Test
  void theLineIsGoneAfterCtrlC() throws IOException {
    if (Tool.hasScript()) {
      try (Program shell = typed("trap : INT;", "--color=never line")) {
        awaitLine(shell);
        shell.in().write(CTRL_C);
        shell.in().flush();
        assertThat(remaining(shell)).isEqualTo("code 130\n");
      }
    }
  }

  @Test
  void noTerminalHasNoLine() throws IOException {
    Program.Result result = Program.run("grep", "--node", "localhost:" + node.port(), "line");
    assertThat(result.text()).isEqualTo("one line\n");
    assertThat(result.errors()).isEmpty();
    assertThat(asked).containsExactly(false);
  }

  @Test
  void theLineCanBeSwitchedOff() throws IOException {
    if (Tool.hasScript()) {
      for (String before : List.of("", "CORDWOOD_NO_PROGRESS=1", "TERM=dumb")) {
        String flag = before.isEmpty() ? "--no-progress " : "";
        try (Program shell = terminal(before, flag + "--color=never line")) {
          assertThat(shell.end().text().replace("\r\n", "\n")).isEqualTo("one line\ncode 0\n");
        }
      }
      assertThat(asked).containsExactly(false, false, false);
    }
  }
}
