package io.cordwood.ingest.fluent;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.testing.Patience;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.ForeignPorts;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** A node with a port of Fluent Forward, and bytes for it. */
abstract class ForwardFixture {
  /** So that recorded times are near. */
  static final Duration AGES = Duration.ofDays(36_500);

  @TempDir Path folder;
  RunningNode node;

  /** Makes messages. */
  @FunctionalInterface
  interface Packing {
    void to(MessageBufferPacker packer) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    node = started("data", AGES, Filesystem.real());
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  static IngestOptions options(Path data, Duration maxSkew) {
    var options = RunningNode.options(data);
    return options
        .with(options.listening().withForeign(ForeignPorts.NONE.withFluent(0)))
        .with(new IngestOptions.Limits(2000, 64 << 20, 1 << 20, maxSkew, Duration.ofSeconds(2)));
  }

  RunningNode started(String name, Duration maxSkew, Filesystem files) throws IOException {
    return new RunningNode(options(folder.resolve(name), maxSkew), files);
  }

  static Socket connect(RunningNode to) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), to.foreignPort("fluent"));
    socket.setSoTimeout((int) Patience.LONG.toMillis());
    return socket;
  }

  /** Sends all, ends, and gives what the node answers. */
  static byte[] send(RunningNode to, byte[] bytes) throws IOException {
    try (Socket socket = connect(to)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return readAll(socket.getInputStream());
    }
  }

  /** Until the end, also one by a reset. */
  private static byte[] readAll(InputStream in) {
    var all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (IOException e) {
      // The node has closed with bytes unread.
    }
    return all.toByteArray();
  }

  String send(byte[] bytes) throws IOException {
    return text(send(node, bytes));
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  static byte[] packed(Packing packing) throws IOException {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      packing.to(packer);
      return packer.toByteArray();
    }
  }

  /** {@code [tag, seconds, {key: value}, {"chunk": chunk}]}, the last if there is a chunk. */
  static byte[] message(String tag, long seconds, String text, String chunk) throws IOException {
    return packed(packer -> {
      packer.packArrayHeader(chunk.isEmpty() ? 3 : 4).packString(tag).packLong(seconds);
      packer.packMapHeader(1).packString("msg").packString(text);
      if (!chunk.isEmpty()) {
        packer.packMapHeader(1).packString("chunk").packString(chunk);
      }
    });
  }

  static String ack(String chunk) {
    return "\u0081\u00a3ack" + (char) (0xa0 + chunk.length()) + chunk;
  }
}
