package io.cordwood.common.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS of blocking sockets. */
final class SocketTlsTest {
  private static final byte[] SENT = "in two parts".getBytes(US_ASCII);

  @TempDir private Path folder;

  /** As a port reads that has other things to look at meanwhile. */
  @Test
  void readsThatTimeOutInTheMidstOfARecordLoseNothing() throws Exception {
    var certificates = new Certificates(folder);
    try (NodeTls own = certificates.open(new SimpleMeterRegistry());
        var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<SSLSocket> secured =
          CompletableFuture.supplyAsync(() -> accept(listening, own.socketPort("test")));
      var wire = new HeldSocket(listening.getLocalSocketAddress());
      try (SSLSocket sender = certificates.trusting().secure(wire, "localhost");
          SSLSocket reader = secured.get()) {
        wire.holding = true;
        sender.getOutputStream().write(SENT);
        byte[] record = wire.held.toByteArray();
        int half = record.length / 2;
        wire.pass(record, 0, half);
        reader.setSoTimeout(1);
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> reader.getInputStream().read())
              .isInstanceOf(SocketTimeoutException.class);
        }
        reader.setSoTimeout(60_000);
        wire.pass(record, half, record.length - half);
        assertThat(reader.getInputStream().readNBytes(SENT.length)).isEqualTo(SENT);
        wire.holding = false;
        reader.setSoTimeout(1); // Closing would wait so long for the other side to close.
      }
    }
  }

  private static SSLSocket accept(ServerSocket listening, SocketTls port) {
    try {
      return port.secure(listening.accept());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection whose bytes can be held back. */
  private static final class HeldSocket extends Socket {
    final ByteArrayOutputStream held = new ByteArrayOutputStream();
    volatile boolean holding;

    HeldSocket(SocketAddress address) throws IOException {
      connect((InetSocketAddress) address);
    }

    void pass(byte[] bytes, int from, int length) throws IOException {
      super.getOutputStream().write(bytes, from, length);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          (holding ? held : out).write(bytes, from, length);
        }
      };
    }
  }
}
