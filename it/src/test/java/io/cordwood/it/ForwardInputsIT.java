package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of commands and of other programs, and those that wait in a spool between two runs. */
final class ForwardInputsIT {
  @TempDir private static Path home;
  private static NodeProcess node;

  @TempDir private Path folder;

  @BeforeAll
  static void startNode() throws IOException {
    node = NodeProcess.start(home);
  }

  @AfterAll
  static void stopNode() throws IOException {
    node.close();
  }

  private static Program forward(String topic, String target, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("forward", "--topic", topic));
    arguments.addAll(List.of(more));
    arguments.add(target);
    return Program.start(arguments.toArray(String[]::new));
  }

  private static String durable() {
    return "localhost:" + node.durablePort();
  }

  private static void awaitRecords(String topic, String expected) {
    await().untilAsserted(() -> assertThat(node.query("topic=" + topic)).isEqualTo(expected));
  }

  @Test
  void linesOfACommandAreSentAndItsFailureIsTold() throws IOException {
    String command = "printf 'one\\ntwo\\n'; echo oops >&2; exit 3";
    try (Program forward = forward("exec", durable(), "--exec", command)) {
      Program.Result result = forward.end();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors()).contains("oops\n", "the command ended with exit code 3");
    }
    awaitRecords("exec", "one\ntwo\n");
  }

  /** The kernel takes connections that the forwarder cannot, until others end. */
  @Test
  void listeningGoesOnThoughThereAreTooManyOpenFiles() throws IOException {
    String limit = "ulimit -n 60 && exec \"$@\"";
    Path unix = folder.resolve("lines.sock");
    String[] arguments = {
      "forward", "--topic", "few", "--listen=" + unix, durable(),
    };
    try (Program forward = Program.startBy(limit, arguments)) {
      forward.awaitErr("lines.sock");
      List<SocketChannel> many = new ArrayList<>();
      try {
        while (many.size() < 80 && isConnected(unix, many)) {
          // More than it has descriptors for.
        }
        forward.awaitErr("--listen: cannot accept a connection: ");
      } finally {
        for (SocketChannel socket : many) {
          socket.close();
        }
      }
      try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(unix))) {
        socket.write(ByteBuffer.wrap("after\n".getBytes(UTF_8)));
        awaitRecords("few", "after\n");
      }
    }
  }

  /** False if the kernel's queue has no room, which is not waited for. */
  private static boolean isConnected(Path unix, List<SocketChannel> many) throws IOException {
    SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    many.add(socket);
    socket.configureBlocking(false);
    try {
      return socket.connect(UnixDomainSocketAddress.of(unix));
    } catch (SocketException e) {
      return false;
    }
  }

  @Test
  void commandEndsWithTheForwarder() throws IOException {
    String command = "echo $$; exec sleep 1000";
    try (Program forward = forward("sleep", durable(), "--exec", command)) {
      await().until(() -> !node.query("topic=sleep").isEmpty());
      long pid = Long.parseLong(node.query("topic=sleep").strip());
      assertThat(ProcessHandle.of(pid)).isPresent();
      forward.terminate();
      assertThat(forward.exitCode()).isEqualTo(143);
      await().until(() -> ProcessHandle.of(pid).isEmpty());
    }
  }

  @Test
  void neighboursSendOverTcpAndAUnixSocket() throws IOException {
    Path unix = folder.resolve("lines.sock");
    Path stats = folder.resolve("stats.json");
    try (Program forward =
        forward("listen", durable(), "--listen=0", "--listen=" + unix, "--stats-file=" + stats)) {
      forward.awaitErr("lines.sock");
      Matcher port = Pattern.compile("listening at \\S*:(\\d+)").matcher(forward.err());
      assertThat(port.find()).isTrue();
      try (Socket tcp =
              new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
          SocketChannel local = SocketChannel.open(UnixDomainSocketAddress.of(unix))) {
        tcp.getOutputStream().write("by TCP\n".getBytes(UTF_8));
        awaitRecords("listen", "by TCP\n");
        local.write(ByteBuffer.wrap("by a Unix socket\n".getBytes(UTF_8)));
        awaitRecords("listen", "by TCP\nby a Unix socket\n");
      }
      forward.terminate();
      assertThat(forward.exitCode()).isEqualTo(143);
      assertThat(forward.err()).contains("2 lines acknowledged").doesNotContain("Exception");
    }
    assertThat(unix).doesNotExist();
    assertThat(stats)
        .content()
        .contains("\"records_acknowledged\":2,", "\"connections_accepted\":2,");
  }

  @Test
  void linesThatNoNodeTookAreSentByTheNextStart() throws IOException {
    Path spool = folder.resolve("spool");
    Path stats = folder.resolve("stats.json");
    String lines = String.join("", IntStream.range(0, 1000).mapToObj(i -> i + "\n").toList());
    String[] flags = {"--spool-dir=" + spool, "--stats-file=" + stats};
    try (Program forward = forward("spool", "localhost:1", flags)) {
      OutputStream in = forward.in();
      in.write(lines.getBytes(UTF_8));
      in.flush();
      await().ignoreExceptions().until(() -> Files.readString(stats).contains("\"records\":1000,"));
      Program.Result other = Program.run("forward", "--spool-dir=" + spool, "localhost:1");
      assertThat(other.exitCode()).isEqualTo(2);
      assertThat(other.errors()).contains(spool + ": expected a folder of its own, found one that");
      forward.terminate();
      assertThat(forward.exitCode()).isEqualTo(143);
      assertThat(forward.err()).contains("1000 lines are in the spool; they are sent when");
    }
    try (Stream<Path> files = Files.list(spool)) {
      String file = files.map(Path::toString).filter(f -> f.endsWith(".spooled")).toList().get(0);
      assertThat(Program.run("segment", "cat", file).text()).isEqualTo(lines);
    }
    for (int start = 0; start < 2; start++) {
      try (Program forward = forward("spool", durable(), flags)) {
        forward.in().close();
        assertThat(forward.exitCode()).isZero();
      }
      awaitRecords("spool", lines);
    }
  }
}
