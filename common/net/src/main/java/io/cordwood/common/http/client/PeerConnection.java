package io.cordwood.common.http.client;

import io.cordwood.common.http.Http2Frames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a peer in HTTP/2, with any number of calls at a time. Each call has a window of
 * its own, and the connection's holds all of them, so that an answer that nobody reads holds up no
 * other one. How long it lives is said by {@link PeerLiveness}. Owned by its event loop, except
 * where said.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends the streams
final class PeerConnection {
  /** Memory of an answer that is not read; a call may have more. */
  private static final int FIRST_WINDOW_BYTES = 64 << 10;

  private static final int MAX_WINDOW_BYTES = Integer.MAX_VALUE;
  private static final int MAX_HEADER_BYTES = 1 << 20;

  private final Http2Connection http2 = new DefaultHttp2Connection(false);
  private final Http2Connection.PropertyKey calls = http2.newKey();
  private final AtomicInteger active = new AtomicInteger();
  private final PeerHandler handler;
  private final Channel channel;
  private final PeerMetrics metrics;
  private final PeerLiveness liveness;
  private volatile int maxActive = Integer.MAX_VALUE;
  private volatile boolean draining;
  private volatile boolean used;
  private @Nullable IOException broken;

  /**
   * @param channel that is connected, and secured if it is to be
   * @param bulk whether it is for large bodies, in large frames
   */
  PeerConnection(Channel channel, boolean bulk, PeerMetrics metrics) {
    this.channel = channel;
    this.metrics = metrics;
    this.liveness = new PeerLiveness(this, channel.eventLoop());
    metrics.connections.incrementAndGet();
    var frames = new PeerFrames(this);
    http2.addListener(frames);
    handler = new PeerHandler.Builder(this, frames, http2, settings(bulk)).build();
    if (bulk) {
      channel.config().setWriteBufferWaterMark(Http2Frames.BULK_READY);
    }
  }

  private static Http2Settings settings(boolean bulk) {
    return Http2Settings.defaultSettings()
        .pushEnabled(false)
        .initialWindowSize(FIRST_WINDOW_BYTES)
        .maxFrameSize(bulk ? Http2Frames.BULK_BYTES : Http2Frames.USUAL_BYTES)
        .maxHeaderListSize(MAX_HEADER_BYTES);
  }

  /** Begins to speak HTTP/2. For any thread; calls can be made at once. */
  void start() {
    channel.closeFuture().addListener(_ -> closed());
    onLoop(() -> {
      channel.pipeline().addLast(handler);
      try {
        Http2Stream all = http2.connectionStream();
        int window = http2.local().flowController().windowSize(all);
        http2.local().flowController().incrementWindowSize(all, MAX_WINDOW_BYTES - window);
      } catch (Http2Exception e) {
        fail(e);
      }
      handler.flush(handler.context());
      liveness.start();
    });
  }

  /** Takes one more call, if there can be one. For any thread. */
  boolean reserve() {
    if (draining || !channel.isActive()) {
      return false;
    }
    if (active.incrementAndGet() > maxActive) {
      active.decrementAndGet();
      return false;
    }
    metrics.calls.incrementAndGet();
    return true;
  }

  /** Whether calls were made on it before, so that the peer may have closed it meanwhile. */
  boolean wasUsed() {
    return used;
  }

  /** For any thread; the task is run by some other. */
  void whenClosed(Runnable task) {
    channel.closeFuture().addListener(_ -> task.run());
  }

  /**
   * Makes a call, for which a place was reserved. For any thread.
   *
   * @param form the body; null for one that is sent later, or none
   * @param end whether the call ends with this
   */
  PeerStream call(Http2Headers head, @Nullable String form, boolean end, int windowBytes) {
    var call = new PeerStream(this, new CallWindow(windowBytes, metrics), end || form != null);
    onLoop(() -> begin(call, head, form, end, windowBytes));
    return call;
  }

  private void begin(
      PeerStream call, Http2Headers head, @Nullable String form, boolean end, int windowBytes) {
    int id = draining || !channel.isActive() ? -1 : http2.local().incrementAndGetNextStreamId();
    if (id < 0) {
      draining = true;
      call.fail(new PeerRefusal("the connection has ended"));
      released();
      return;
    }
    used = true;
    liveness.callBegan();
    ChannelHandlerContext ctx = handler.context();
    handler
        .encoder()
        .writeHeaders(ctx, id, head, 0, end, ctx.newPromise())
        .addListener(written -> {
          if (!written.isSuccess()) {
            call.fail(new IOException(written.cause()));
          }
        });
    Http2Stream stream = http2.stream(id);
    if (stream == null) {
      call.fail(new PeerRefusal("the peer takes no more calls here"));
      released();
      return;
    }
    call.begunAs(id);
    stream.setProperty(calls, call);
    widen(stream, windowBytes);
    if (form != null) {
      handler.encoder().writeData(ctx, id, ascii(form), 0, true, ctx.newPromise());
    }
    handler.flush(ctx);
  }

  private static ByteBuf ascii(String form) {
    return Unpooled.wrappedBuffer(form.getBytes(StandardCharsets.US_ASCII));
  }

  private void widen(Http2Stream stream, int windowBytes) {
    try {
      http2
          .local()
          .flowController()
          .incrementWindowSize(stream, Math.max(0, windowBytes - FIRST_WINDOW_BYTES));
    } catch (Http2Exception e) {
      fail(e);
    }
  }

  /** Sends a piece of a call's body. For any thread. */
  void send(PeerStream call, byte[] piece, boolean last) {
    onLoop(() -> {
      ChannelHandlerContext ctx = handler.context();
      if (call.id() == 0 || http2.stream(call.id()) == null) {
        return; // over, as the caller is about to learn
      }
      handler
          .encoder()
          .writeData(ctx, call.id(), Unpooled.wrappedBuffer(piece), 0, last, ctx.newPromise())
          .addListener(_ -> call.sent(piece.length));
      handler.flush(ctx);
    });
  }

  /**
   * The caller has read bytes: the peer may send as many again. For any thread.
   *
   * @param growth bytes that it may send beside those
   */
  void consumed(PeerStream call, int bytes, int growth) {
    onLoop(() -> {
      Http2Stream stream = call.id() == 0 ? null : http2.stream(call.id());
      try {
        if (stream != null) {
          http2.local().flowController().incrementWindowSize(stream, growth);
          http2.local().flowController().consumeBytes(stream, bytes);
          handler.flush(handler.context());
        }
      } catch (Http2Exception e) {
        fail(e);
      }
    });
  }

  /** The caller wants no more of a call. For any thread. */
  void ended(PeerStream call) {
    onLoop(() -> {
      Http2Stream stream = call.id() == 0 ? null : http2.stream(call.id());
      if (stream != null) {
        metrics.resets.increment();
        if (liveness.tooManyResets()) {
          draining = true; // the next calls are made on another connection
        }
        ChannelHandlerContext ctx = handler.context();
        handler.resetStream(ctx, call.id(), Http2Error.CANCEL.code(), ctx.newPromise());
        handler.flush(ctx);
      }
    });
  }

  @Nullable PeerStream callOf(int id) {
    Http2Stream stream = http2.stream(id);
    return stream == null ? null : stream.getProperty(calls);
  }

  /** The peer takes that many calls at a time. */
  void takes(int calls) {
    maxActive = calls;
  }

  void resetsAreUncounted() {
    liveness.resetsAreUncounted();
  }

  /** The peer ends the connection after the calls up to this one. */
  void endsAfter(int lastId) {
    draining = true;
    for (Http2Stream stream : streams()) {
      PeerStream call = stream.getProperty(calls);
      if (call != null && stream.id() > lastId) {
        call.fail(new PeerRefusal("the peer ends the connection"));
      }
    }
  }

  private List<Http2Stream> streams() {
    var all = new ArrayList<Http2Stream>();
    try {
      http2.forEachActiveStream(stream -> {
        all.add(stream);
        return true;
      });
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  /** A stream is closed, for whatever reason. */
  void over(Http2Stream stream) {
    PeerStream call = stream.getProperty(calls);
    if (call != null) {
      call.fail(broken == null ? new EOFException("the connection ended") : broken);
      released();
    }
  }

  private void released() {
    metrics.calls.decrementAndGet();
    if (active.decrementAndGet() == 0) {
      liveness.callsEnded();
      if (draining) {
        channel.close();
      }
    }
  }

  void heard() {
    liveness.heard();
  }

  void ping() {
    ChannelHandlerContext ctx = handler.context();
    handler.encoder().writePing(ctx, false, System.nanoTime(), ctx.newPromise());
    handler.flush(ctx);
  }

  /** The peer is there no more. */
  void silent(String why) {
    metrics.silent.increment();
    broken(new IOException(why));
    channel.close();
  }

  /** Why the connection ends, for those whose calls end with it. */
  void broken(IOException why) {
    draining = true;
    if (broken == null) {
      broken = why;
    }
  }

  /** Why a stream ends. */
  void streamBroken(int id, Throwable why) {
    PeerStream call = callOf(id);
    if (call != null) {
      call.fail(new IOException(String.valueOf(why.getMessage()), why));
    }
  }

  private void closed() {
    draining = true;
    metrics.connections.decrementAndGet();
    liveness.stop();
  }

  private void fail(Http2Exception e) {
    broken(new IOException(e.getMessage(), e));
    channel.close();
  }

  /** Takes no more calls, and ends. For any thread. */
  void close() {
    draining = true;
    channel.close();
  }

  private void onLoop(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
    } else {
      channel.eventLoop().execute(task);
    }
  }

  /** A caller has to wait until the peer takes more. For any thread. */
  void ranDry() {
    metrics.dryWindows.increment();
  }
}
