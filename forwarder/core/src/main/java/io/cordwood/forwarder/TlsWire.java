package io.cordwood.forwarder;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;

/** TLS, as a client that checks the node's name. */
final class TlsWire implements Wire {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ByteBuffer received;
  private final ByteBuffer toSend;
  private final ByteBuffer plain;
  private boolean ending;

  /** Waits until the channel is ready for an operation of {@link SelectionKey}. */
  @FunctionalInterface
  interface Readiness {
    void await(int operation) throws IOException;
  }

  private TlsWire(SocketChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    int bytes = engine.getSession().getPacketBufferSize();
    this.received = ByteBuffer.allocate(bytes);
    this.toSend = ByteBuffer.allocate(bytes).limit(0);
    this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
  }

  /**
   * A connection whose handshake is over.
   *
   * @throws IOException if the two do not agree, or waiting fails
   */
  static TlsWire connect(
      SocketChannel channel, SSLContext context, Target target, Readiness readiness)
      throws IOException {
    SSLEngine engine = context.createSSLEngine(target.host(), target.port());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    TlsWire wire = new TlsWire(channel, engine);
    wire.handshake(readiness);
    return wire;
  }

  private void handshake(Readiness readiness) throws IOException {
    engine.beginHandshake();
    HandshakeStatus status = engine.getHandshakeStatus();
    while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
      status =
          switch (status) {
            case NEED_WRAP -> sendPart(readiness);
            case NEED_TASK -> runTasks();
            default -> receivePart(readiness);
          };
    }
  }

  private HandshakeStatus sendPart(Readiness readiness) throws IOException {
    SSLEngineResult result = wrap(NOTHING);
    while (!flush()) {
      readiness.await(SelectionKey.OP_WRITE);
    }
    return result.getHandshakeStatus();
  }

  private HandshakeStatus receivePart(Readiness readiness) throws IOException {
    SSLEngineResult result = unwrap();
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      throw new EOFException("the peer ended the TLS handshake");
    }
    if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
      int count = channel.read(received);
      if (count < 0) {
        throw new EOFException("the peer closed the connection during the TLS handshake");
      }
      if (count == 0) {
        readiness.await(SelectionKey.OP_READ);
      }
    }
    return result.getHandshakeStatus();
  }

  private HandshakeStatus runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    return engine.getHandshakeStatus();
  }

  private SSLEngineResult wrap(ByteBuffer bytes) throws IOException {
    toSend.clear();
    try {
      return engine.wrap(bytes, toSend);
    } finally {
      toSend.flip();
    }
  }

  private SSLEngineResult unwrap() throws IOException {
    received.flip();
    plain.clear();
    try {
      return engine.unwrap(received, plain);
    } finally {
      plain.flip();
      received.compact();
    }
  }

  /** Whether all is sent that was taken. */
  private boolean flush() throws IOException {
    channel.write(toSend);
    if (toSend.hasRemaining()) {
      return false;
    }
    if (ending) {
      channel.shutdownOutput();
    }
    return true;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int taken = 0;
    while (flush() && bytes.hasRemaining()) {
      SSLEngineResult result = wrap(bytes);
      if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
        throw new EOFException("the peer ended the TLS connection");
      }
      taken += result.bytesConsumed();
    }
    return taken;
  }

  @Override
  public boolean hasPending() {
    return toSend.hasRemaining();
  }

  @Override
  public int read(ByteBuffer bytes) throws IOException {
    while (!plain.hasRemaining()) {
      SSLEngineResult result = unwrap();
      if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
        return -1;
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
        int count = channel.read(received);
        if (count <= 0) {
          return count;
        }
      } else if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
        return 0; // nothing moves before something is written
      }
    }
    int count = Math.min(bytes.remaining(), plain.remaining());
    bytes.put(plain.slice(plain.position(), count));
    plain.position(plain.position() + count);
    return count;
  }

  @Override
  public void shutdownOutput() throws IOException {
    engine.closeOutbound();
    if (flush()) {
      wrap(NOTHING);
    }
    ending = true;
    flush();
  }
}
