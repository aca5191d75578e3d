package io.cordwood.common.http.client;

import io.cordwood.common.http.BlockInput;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
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

  private final PeerStream call;
  private final String asked;
  private final Duration readTimeout;
  private final Runnable whenOver;
  private final InputStream body = new Body();
  private boolean over;

  /**
   * @param asked what messages name: the peer, and the path there
   * @param readTimeout longest wait for the next bytes
   * @param whenOver run once, when no more of it is wanted
   */
  PeerResponse(PeerStream call, String asked, Duration readTimeout, Runnable whenOver) {
    this.call = call;
    this.asked = asked;
    this.readTimeout = readTimeout;
    this.whenOver = whenOver;
  }

  /** HTTP status. */
  public int status() {
    return call.status();
  }

  /** A header; null if there is none. */
  public @Nullable String header(String name) {
    return call.fields().get(Http1Input.lowerCase(name));
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
    long written = 0;
    int count = next(target, maxBytes);
    while (count >= 0) {
      written += count;
      if (written == maxBytes && body.read() >= 0) {
        close();
        throw new IOException(asked + ": expected at most " + maxBytes + " bytes, found more");
      }
      count = next(target, maxBytes - written);
    }
    return written;
  }

  private int next(WritableByteChannel target, long most) throws IOException {
    return reading(() -> call.writeNext(target, most, readTimeout));
  }

  /** Reads from the body; returns -1 at its end. */
  private interface Read {
    int read() throws IOException;
  }

  private int reading(Read read) throws IOException {
    if (over) {
      return -1;
    }
    int count;
    try {
      count = read.read();
    } catch (HttpTimeoutException e) {
      throw new HttpTimeoutException(asked + ": " + e.getMessage());
    } catch (IOException e) {
      throw new IOException(asked + ": the answer breaks off: " + e.getMessage(), e);
    }
    if (count < 0) {
      close();
    }
    return count;
  }

  /** Tells the peer to stop, if the body was not read to its end. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      call.close();
      whenOver.run();
    }
  }

  private final class Body extends BlockInput {
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return reading(() -> call.read(bytes, offset, length, readTimeout));
    }

    @Override
    public int available() {
      return over ? 0 : call.available();
    }
  }
}
