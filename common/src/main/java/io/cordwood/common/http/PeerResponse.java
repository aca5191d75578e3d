package io.cordwood.common.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A peer's answer: its head is here, its body is still coming, and waits in the peer until it is
 * read. For one thread at a time. To be closed.
 */
public final class PeerResponse implements AutoCloseable {
  private static final int MAX_ERROR_BYTES = 4096;

  /** Enough that a wait for each piece costs little beside what copying it does. */
  private static final int TRANSFER_BYTES = 256 << 10;

  private final PeerConnections connections;
  private final Http1Connection connection;
  private final String peer;
  private final Http1Connection.Answer answer;
  private final Duration readTimeout;
  private final InputStream body = new Body();
  private boolean over;

  /**
   * @param connections gets the connection back
   * @param readTimeout as the connection has it, for messages
   */
  PeerResponse(
      PeerConnections connections,
      Http1Connection connection,
      String peer,
      Http1Connection.Answer answer,
      Duration readTimeout) {
    this.connections = connections;
    this.connection = connection;
    this.peer = peer;
    this.answer = answer;
    this.readTimeout = readTimeout;
  }

  /** HTTP status. */
  public int status() {
    return answer.status();
  }

  /** A header; null if there is none. */
  public @Nullable String header(String name) {
    return answer.fields().get(Http1Connection.lowerCase(name));
  }

  /** A header that is a whole number; empty if there is none. */
  public OptionalLong longHeader(String name) {
    String text = header(name);
    return text != null && text.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** The body; a read fails if it takes longer than the client waits, or the answer breaks off. */
  public InputStream body() {
    return body;
  }

  /** The body of an answer that is an error: one line, cut if it is long. */
  public String error() throws IOException {
    String text = new String(body.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8);
    return text.strip().replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Writes the rest of the body to a channel.
   *
   * @return bytes written
   * @throws IOException also if there are more than {@code maxBytes}, of which none more is written
   */
  public long transferTo(WritableByteChannel target, long maxBytes) throws IOException {
    byte[] piece = new byte[TRANSFER_BYTES];
    long written = 0;
    for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
      if (written + count > maxBytes) {
        close();
        throw new IOException("expected at most " + maxBytes + " bytes, found more");
      }
      ByteBuffer left = ByteBuffer.wrap(piece, 0, count);
      while (left.hasRemaining()) {
        written += target.write(left);
      }
    }
    return written;
  }

  private void end() {
    over = true;
    if (answer.leavesOpen() && !connection.hasUnread()) {
      connections.keep(peer, connection);
    } else {
      connections.drop(connection);
    }
  }

  /** Tells the peer to stop, if the body was not read to its end. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      connections.drop(connection);
    }
  }

  private final class Body extends BlockInput {
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (over) {
        return -1;
      }
      int count = readOn(bytes, offset, length);
      if (count < 0) {
        end();
      }
      return count;
    }

    private int readOn(byte[] bytes, int offset, int length) throws IOException {
      try {
        return answer.body().read(bytes, offset, length);
      } catch (SocketTimeoutException e) {
        throw new HttpTimeoutException("received nothing for " + readTimeout.toMillis() + " ms");
      } catch (IOException e) {
        throw new IOException("the answer breaks off: " + e.getMessage(), e);
      }
    }
  }
}
