package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say when another program answers, the disk is full, or a stream is closed. */
final class SurroundingsIT {
  private static final String EVENT =
      """
      data: {"ulid":"01KAM0F3E80000000000000000","time":"2026-11-21T22:00:00Z","record":"a line"}

      """;

  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String node(String type, String body) {
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("content-type", type);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    return "--node=localhost:" + server.getAddress().getPort();
  }

  private static void assertFails(Program.Result result, String expected) {
    assertThat(result.errors().lines())
        .singleElement()
        .satisfies(line -> assertThat(line).startsWith("cordwood ").contains(expected));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.output()).isEmpty();
  }

  private static Program.Result run(String script, String... arguments) throws IOException {
    try (Program program = Program.startBy(script, arguments)) {
      return program.end();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grep x", "tail", "read", "topics", "histogram"})
  void thePageOfAnotherProgramIsNoAnswer(String command) throws IOException {
    String node = node("text/html", "<html>\n");
    assertFails(
        Program.run((command + " " + node).split(" ", -1)),
        "expected a node's answer, found text/html (200); is this its API port?");
  }

  @Test
  void anAnswerWithoutAVerdictIsDoubted() throws IOException {
    Program.Result result = Program.run("grep", "x", node("text/plain", "x\n"));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors()).contains("expected a verdict after the records, found none");
  }

  @Test
  void aTailOntoAFullDiskEnds() throws IOException {
    assertFails(
        run("exec \"$@\" >/dev/full", "tail", node("text/event-stream", EVENT)),
        "cannot write to standard output: No space left on device");
  }

  @Test
  void filesOntoAFullDiskAreSearchedNoFurther() throws IOException {
    assertFails(
        run("exec \"$@\" >/dev/full", "grep", "", "pom.xml", "pom.xml"),
        "cannot write to standard output: No space left on device");
  }

  @ParameterizedTest
  @ValueSource(strings = {"man grep", "completion bash"})
  void aManualOntoAFullDiskIsAnError(String command) throws IOException {
    assertFails(
        run("exec \"$@\" >/dev/full", command.split(" ", -1)),
        "cannot write to standard output: No space left on device");
  }

  /** Else the JVM reads one of its own files there. */
  @ParameterizedTest
  @ValueSource(strings = {"grep -c x -", "forward --drain 1ms localhost:1"})
  void closedStandardInputCannotBeRead(String command) throws IOException {
    Program.Result result = run("exec \"$@\" <&-", command.split(" ", -1));
    assertThat(result.errors()).contains("Bad file descriptor");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  void closedStandardOutputIsAnError() throws IOException {
    assertFails(
        run("exec \"$@\" >&-", "grep", "", "pom.xml"),
        "cannot write to standard output: Bad file descriptor");
  }
}
