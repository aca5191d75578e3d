package io.cordwood.common.http.server;

import io.cordwood.common.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The answer to one request. The status and headers go out with the first bytes that are flushed;
 * from then on they cannot change, and a handler that fails resets the answer instead of ending it,
 * so that the client never takes a part for the whole. A short answer that was never flushed goes
 * out at once, with its length.
 *
 * <p>For the handler's thread, or another one that it hands the response to; not for two at once,
 * except for {@link #clientGone}.
 */
public final class Response {
  /** Carries a response to its client. */
  interface Carrier {
    ByteBufAllocator allocator();

    /** How large a piece of a file may be. */
    int largestPiece();

    /** Sets the headers that say where the body ends and what becomes of the connection. */
    void frame(HttpHeaders headers, int status, long contentLength);

    /** How the body may be compressed: what the client takes, as long as not too many are. */
    Optional<ContentCoding> takeCoding();

    void giveBackCoding();

    /**
     * Makes the rest of the connection bytes in both directions, after the head of the answer.
     *
     * @param timeout longest wait for the client's next bytes
     * @return what the client sends
     */
    BodyInput becomeRaw(Duration timeout);

    /** The longest wait for the next bytes of a body. */
    Duration idle();
  }

  private static final String TEXT = "text/plain; charset=utf-8";

  /** With the value "no" proxies, such as nginx, pass on at once what comes. */
  private static final String NOT_BUFFERED = "x-accel-buffering";

  private final Carrier carrier;
  private final Asker asker;
  private final ResponseFlowControl flowControl;
  private final BodyOutput output;
  private final CodedBody body;
  private final HttpHeaders headers = new DefaultHttpHeaders();
  private final HttpHeaders trailers = new DefaultHttpHeaders();
  private int status = 200;
  private long contentLength = -1;
  private boolean committed;
  private @Nullable ChannelFuture lastWrite;

  Response(Carrier carrier, Asker asker, ResponseFlowControl flowControl) {
    this.carrier = carrier;
    this.asker = asker;
    this.flowControl = flowControl;
    this.output = new BodyOutput(this, carrier.allocator(), asker.isHead());
    this.body = new CodedBody(this, output);
  }

  /** Sets the status, 200 unless set. */
  public Response status(int code) {
    checkNotCommitted();
    status = code;
    return this;
  }

  /** Sets a header. */
  public Response header(String name, String value) {
    checkNotCommitted();
    headers.set(name, value);
    return this;
  }

  /** Says when to ask again, in seconds. */
  public Response retryAfter(int seconds) {
    return header("retry-after", Integer.toString(seconds));
  }

  /** Announces the body's length in bytes; the handler then must write exactly that number. */
  public Response contentLength(long bytes) {
    checkNotCommitted();
    contentLength = bytes;
    return this;
  }

  /**
   * Sets a trailer, sent after the body; may be called until the body is closed. Trailers do not go
   * with an announced length, and clients of HTTP/1.0 do not get them.
   */
  public Response trailer(String name, String value) {
    if (contentLength >= 0) {
      throw new IllegalStateException("a body of announced length has no trailers");
    }
    trailers.set(name, value);
    return this;
  }

  /** Answers with a short text, and ends. */
  public void text(int code, String body) throws IOException {
    status(code);
    if (!headers.contains(HttpHeaderNames.CONTENT_TYPE)) {
      header("content-type", TEXT);
    }
    output.write(body.getBytes(StandardCharsets.UTF_8));
    output.close();
  }

  /** Answers with an object in JSON on a line, and ends. */
  public void json(Consumer<JsonGenerator> properties) {
    header("content-type", Json.TYPE);
    Json.writeLine(body(), properties);
  }

  /**
   * The body. A write blocks while the client is slow to read, and throws {@link
   * ClientGoneException} soon after it left; {@code flush} sends what was written so far; {@code
   * close} ends the answer. Text of unannounced length is compressed on its way if the client says
   * that it takes that.
   */
  public OutputStream body() {
    return body;
  }

  /**
   * Decides how the body is written, before its first byte; a coding is given back when it ends.
   */
  Optional<ContentCoding> chooseCoding() {
    if (committed || contentLength >= 0 || !isText() || asker.isHead()) {
      return Optional.empty();
    }
    headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
    Optional<ContentCoding> coding = carrier.takeCoding();
    coding.ifPresent(chosen -> headers.set(HttpHeaderNames.CONTENT_ENCODING, chosen.token()));
    return coding;
  }

  private boolean isText() {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
    return type.startsWith("text/") || type.contains("json");
  }

  void compressed() {
    carrier.giveBackCoding();
  }

  /**
   * Writes a range of a file to the body, without holding more than a chunk of it in memory. The
   * file stays the caller's; its position does not change. Announce the length before, if it is
   * known.
   *
   * @throws IOException also if the file is shorter
   */
  public void sendFile(FileChannel file, long offset, long length) throws IOException {
    output.writeFile(file, offset, length);
  }

  /**
   * Whether nobody waits for this answer any more: a handler that produces nothing for long asks
   * this now and then. Cheap, and for any thread.
   */
  public boolean clientGone() {
    return flowControl.gone();
  }

  /**
   * For what may as well be left out when the client is slow: tells whether it has taken all that
   * was written to the body by now, once that is flushed. Cheap, and for any thread.
   */
  public BooleanSupplier taken() {
    long written = output.written();
    return () -> flowControl.passed() >= written;
  }

  /**
   * For a handler that waits for long, instead of asking again and again: the task is run when the
   * client has left, if need be at once, perhaps more than once. It must not block.
   */
  public void whenClientGone(Runnable task) {
    flowControl.whenGone(task);
  }

  /**
   * For an answer that may be on its way for long and never is large: only some KiB of it are, so
   * that very many of them do not hold much memory when nobody reads them.
   */
  public Response narrow() {
    flowControl.narrow();
    return this;
  }

  Carrier carrier() {
    return carrier;
  }

  Asker asker() {
    return asker;
  }

  /** Takes memory for the next piece of the body. */
  int takeMemory(int wantedBytes) {
    return flowControl.takeMemory(wantedBytes);
  }

  /** How large a piece of a file may be. */
  int largestPiece() {
    return carrier.largestPiece();
  }

  void giveBackMemory() {
    flowControl.giveBackMemory();
  }

  private void checkNotCommitted() {
    if (committed) {
      throw new IllegalStateException("status and headers are already sent");
    }
  }

  void checkLength(long written) {
    if (contentLength >= 0 && written > contentLength) {
      throw new IllegalStateException(
          "announced " + contentLength + " bytes, " + written + " were written");
    }
  }

  void sendPart() throws IOException {
    flowControl.awaitRoom();
    if (!committed) {
      sendHead();
    }
    ByteBuf chunk = output.take();
    if (chunk != null) {
      flowControl.send(new DefaultHttpContent(chunk), chunk.readableBytes());
    }
  }

  /** An answer that comes in parts is for somebody who waits for the first of them. */
  private void sendHead() {
    committed = true;
    if (contentLength < 0) {
      headers.set(NOT_BUFFERED, "no");
    }
    carrier.frame(headers, status, contentLength);
    HttpResponseStatus code = HttpResponseStatus.valueOf(status);
    flowControl.send(new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, headers), 0);
  }

  /** Writes them to the end of a body too, if the client asks for that. */
  void repeatTrailers(OutputStream out) throws IOException {
    boolean coded = headers.contains(HttpHeaderNames.CONTENT_ENCODING);
    if (!trailers.isEmpty() && !coded && !asker.isHead()) {
      Optional<byte[]> line = asker.lineOfTrailers(trailers);
      if (line.isPresent()) {
        out.write(line.get());
      }
    }
  }

  void sendLast() throws IOException {
    flowControl.awaitRoom();
    boolean whole = !committed && trailers.isEmpty() && contentLength < 0;
    if (whole) {
      contentLength = output.written();
    }
    checkComplete();
    if (whole) {
      sendWhole();
    } else {
      sendRest();
    }
  }

  private void checkComplete() {
    if (contentLength >= 0 && output.written() != contentLength && !asker.isHead()) {
      throw new IllegalStateException(
          "announced " + contentLength + " bytes, " + output.written() + " were written");
    }
  }

  private void sendWhole() {
    committed = true;
    carrier.frame(headers, status, contentLength);
    ByteBuf body = orEmpty(output.take());
    lastWrite =
        flowControl.sendLast(
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body, headers, trailers),
            body.readableBytes());
  }

  private void sendRest() {
    if (!committed) {
      sendHead();
    }
    ByteBuf body = orEmpty(output.take());
    LastHttpContent last = new DefaultLastHttpContent(body);
    if (asker.hasTrailers()) {
      last.trailingHeaders().set(trailers);
    }
    lastWrite = flowControl.sendLast(last, body.readableBytes());
  }

  private static ByteBuf orEmpty(@Nullable ByteBuf buffer) {
    return buffer == null ? Unpooled.EMPTY_BUFFER : buffer;
  }

  /** Replaces what was written by an error, if nothing was sent. */
  boolean fail(HttpError error) throws IOException {
    if (committed) {
      return false;
    }
    body.discard();
    headers.remove(HttpHeaderNames.CONTENT_TYPE).remove(HttpHeaderNames.CONTENT_ENCODING);
    trailers.clear();
    contentLength = -1;
    output.reset();
    if (error.retryAfterSeconds() > 0) {
      retryAfter(error.retryAfterSeconds());
    }
    error.headers().forEach(this::header);
    if (asker.isGrpc()) {
      status(200);
      GrpcStatus.headers(error).forEach(this::header);
      output.close();
    } else {
      ErrorForm form = asker.errorForm(error);
      status(error.status()).header("content-type", form.type());
      output.write(form.body(error));
      output.close();
    }
    return true;
  }

  /** Bytes of the body that were written so far. */
  long writtenBytes() {
    return output.written();
  }

  /** A trailer, or else a header, that is a number; 0 if there is none. */
  long number(String name) {
    String text = trailers.contains(name) ? trailers.get(name) : headers.get(name, "");
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  int statusCode() {
    return status;
  }

  boolean isCommitted() {
    return committed;
  }

  /** Done when the last byte is sent; null if the answer was not ended. */
  @Nullable ChannelFuture lastWrite() {
    return lastWrite;
  }

  void discard() {
    body.discard();
    output.discard();
  }
}
