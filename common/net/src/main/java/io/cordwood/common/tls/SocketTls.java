package io.cordwood.common.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** TLS on a port whose connections are blocking sockets, each with a thread of its own. */
public final class SocketTls {
  private static final int LINGER_MILLIS = 1000;

  private final PortTls port;
  private final String[] protocols;

  SocketTls(PortTls port, String[] protocols) {
    this.port = port;
    this.protocols = protocols.clone();
  }

  /**
   * Secures a connection.
   *
   * @throws IOException if it is none of TLS, its handshake fails, or that takes too long; it is
   *     closed then, counted and logged
   */
  public SSLSocket secure(Socket socket) throws IOException {
    var over = new AtomicBoolean();
    var late = new AtomicBoolean();
    CompletableFuture.delayedExecutor(port.handshake().toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> {
          if (over.compareAndSet(false, true)) {
            late.set(true);
            close(socket);
          }
        });
    try {
      SSLSocket secured = handshake(socket, over);
      port.log().succeeded();
      return secured;
    } catch (IOException e) {
      boolean first = over.compareAndSet(false, true);
      if (late.get()) {
        port.log().late(socket.getRemoteSocketAddress());
      } else if (first) {
        port.log().failed(socket.getRemoteSocketAddress(), e);
      }
      close(socket);
      throw e;
    }
  }

  private SSLSocket handshake(Socket socket, AtomicBoolean over) throws IOException {
    int first = socket.getInputStream().read();
    if (first >= 0 && TlsHello.isPlain(first)) {
      over.set(true);
      refuse(socket);
      throw new IOException("expected TLS, found plain text");
    }
    byte[] consumed = first < 0 ? new byte[0] : new byte[] {(byte) first};
    var secured =
        (SSLSocket)
            port.jdkContext()
                .getSocketFactory()
                .createSocket(socket, new ByteArrayInputStream(consumed), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setProtocols(protocols);
    parameters.setWantClientAuth(true);
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    if (!over.compareAndSet(false, true)) {
      throw new IOException("the handshake took too long");
    }
    return secured;
  }

  /** Closing with unread bytes would reset the connection, and the answer might be lost. */
  private void refuse(Socket socket) throws IOException {
    port.log().plain(socket.getRemoteSocketAddress());
    socket.getOutputStream().write(port.plainAnswer().getBytes(UTF_8));
    socket.shutdownOutput();
    socket.setSoTimeout(LINGER_MILLIS);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LINGER_MILLIS);
    InputStream in = socket.getInputStream();
    byte[] rest = new byte[8 << 10];
    try {
      while (System.nanoTime() - end < 0 && in.read(rest) >= 0) {
        // Thrown away.
      }
    } catch (SocketTimeoutException e) {
      // It has had its time to read.
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is sent or awaited any more.
    }
  }
}
