package io.cordwood.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.testing.Patience;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SocketInputTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir private Path folder;

  private SocketInput listening(String... more) {
    List<String> addresses = new ArrayList<>(List.of(socket().toString()));
    addresses.addAll(List.of(more));
    return SocketInput.open(addresses);
  }

  private Path socket() {
    return folder.resolve("lines.sock");
  }

  /** One without a node: it holds what it is given. */
  private static Forwarder forwarder() {
    ForwarderOptions options = ForwarderOptions.builder().target("127.0.0.1", 1).build();
    return Forwarder.start(options, ForwarderListener.NONE);
  }

  private static SocketChannel send(SocketAddress to, String text) throws IOException {
    SocketChannel socket = SocketChannel.open(to);
    socket.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    return socket;
  }

  @Test
  void linesOfAllConnectionsAreTakenAndTheEndOfTheInputEndsThem() throws IOException {
    SocketInput input = listening("0", "127.0.0.1:0");
    try (Forwarder forwarder = forwarder()) {
      var pump = CompletableFuture.supplyAsync(() -> pump(input, forwarder));
      List<SocketChannel> open = new ArrayList<>();
      for (SocketAddress address : input.addresses()) {
        open.add(send(address, "one\ntwo\nopen"));
      }
      await().until(() -> forwarder.counters().appended() == 6);
      open.get(0).close();
      await().until(() -> forwarder.counters().appended() == 7);
      await()
          .until(() -> input.json().startsWith(",\"connections\":2,\"connections_accepted\":3,"));
      assertThat(input.stop()).isTrue();
      assertThat(pump).succeedsWithin(LONG).isEqualTo(true);
      assertThat(forwarder.counters().appended()).isEqualTo(9);
      assertThat(socket()).doesNotExist();
      for (SocketChannel socket : open) {
        socket.close();
      }
      forwarder.close(Duration.ZERO);
    }
  }

  private static boolean pump(SocketInput input, Forwarder forwarder) {
    try {
      return input.pump(forwarder);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void connectionsBeyondTheLimitAreClosedAndCounted() throws IOException {
    SocketInput input = listening();
    try (Forwarder forwarder = forwarder()) {
      var pump = CompletableFuture.supplyAsync(() -> pump(input, forwarder));
      List<SocketChannel> open = new ArrayList<>();
      for (int i = 0; i < SocketInput.MAX_CONNECTIONS + 2; i++) {
        open.add(SocketChannel.open(input.addresses().get(0)));
      }
      await().until(() -> input.json().contains("\"connections_refused\":2,"));
      assertThat(open.getLast().read(ByteBuffer.allocate(1))).isEqualTo(-1);
      open.getFirst().close();
      await().until(() -> input.json().startsWith(",\"connections\":99,"));
      open.add(send(input.addresses().get(0), "line\n"));
      await().until(() -> forwarder.counters().appended() == 1);
      input.stop();
      assertThat(pump).succeedsWithin(LONG);
      for (SocketChannel socket : open) {
        socket.close();
      }
      forwarder.close(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n",
        "19 <34>1 - a b c - - x",
        "\u001f\u008b\u0008\0",
        "\u0016\u0003\u0001\0\u0005\u0001"
      })
  void whatIsNoLinesIsRefusedAndCountedAndOthersGoOn(String start) throws IOException {
    SocketInput input = listening();
    try (Forwarder forwarder = forwarder()) {
      var pump = CompletableFuture.supplyAsync(() -> pump(input, forwarder));
      SocketAddress address = input.addresses().getFirst();
      try (SocketChannel foreign = SocketChannel.open(address);
          SocketChannel other = send(address, "line\n")) {
        foreign.write(ByteBuffer.wrap(start.getBytes(ISO_8859_1)));
        ByteBuffer said = ByteBuffer.allocate(1000);
        while (foreign.read(said) >= 0) {
          assertThat(said.hasRemaining()).isTrue();
        }
        assertThat(new String(said.array(), 0, said.position(), US_ASCII))
            .startsWith("error: expected lines or batches, found ");
        await().until(() -> forwarder.counters().appended() == 1);
        assertThat(other.isConnected()).isTrue();
      }
      await().until(() -> input.json().startsWith(",\"connections\":0,"));
      assertThat(input.json()).contains("\"connections_foreign\":1");
      input.stop();
      assertThat(pump).succeedsWithin(LONG).isEqualTo(true);
      assertThat(forwarder.counters().appended()).isEqualTo(1);
      forwarder.close(Duration.ZERO);
    }
  }

  @Test
  void socketOfAKilledProcessIsReplacedAndThatOfALivingOneIsNot() throws IOException {
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket()));
      assertThatThrownBy(this::listening)
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("another process listens there");
    }
    assertThat(socket()).exists();
    SocketInput input = listening();
    input.stop();
    try (Forwarder forwarder = forwarder()) {
      assertThat(pump(input, forwarder)).isTrue();
      forwarder.close(Duration.ZERO);
    }
    assertThat(socket()).doesNotExist();
  }

  @Test
  void fileInTheWayStaysAsItIs() throws IOException {
    Files.writeString(socket(), "precious");
    assertThatThrownBy(this::listening).isInstanceOf(CommandException.class);
    assertThat(socket()).hasContent("precious");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.0.0.0:7000 | expected a loopback address, since whoever reaches it can send lines",
        "70000        | expected a port of 0 to 65535, found \"70000\"",
        "localhost:x  | expected a port of 0 to 65535, found \"x\"",
        "/no/such/folder/lines.sock | --listen /no/such/folder/lines.sock: "
      })
  void addressThatCannotBeIsRefused(String address, String error) {
    assertThatThrownBy(() -> SocketInput.open(List.of(address)))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(error);
  }
}
