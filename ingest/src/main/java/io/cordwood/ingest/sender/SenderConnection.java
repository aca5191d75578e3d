package io.cordwood.ingest.sender;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.wire.AnswerLine;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.ConnectionWriter;
import io.cordwood.ingest.mode.LoopGate;
import io.cordwood.ingest.mode.LoopWriter;
import io.cordwood.ingest.mode.Mode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One sender. Its first bytes decide what it sends, as {@link ReaderChoice} tells. Owned by its
 * event loop.
 *
 * <p>What one round of reading delivers is stored in one go. While the writer takes nothing, the
 * connection is not read, and holds at most what that round delivered and an unfinished record.
 *
 * <p>It ends, or is refused, when all that it wrote before is safe and acknowledged.
 */
final class SenderConnection extends ChannelInboundHandlerAdapter implements LoopGate.Sender {
  private static final Logger log = LoggerFactory.getLogger(SenderConnection.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(log);

  /** From so much on, what was received is stored before more is read. */
  static final int COALESCE_BYTES = 3 * LineReader.BATCH_BYTES;

  /** How long a refused sender is still read, so that it gets to see why. */
  private static final long LINGER_MILLIS = 1000;

  /** How long a sender may take to read its last acknowledgement. */
  private static final long GOODBYE_MILLIS = 10_000;

  /** Time without a byte after which a sender on a closing node counts as silent. */
  private static final long SILENCE_MILLIS = 100;

  private final Intake intake;
  private final Mode mode;
  private final Hints hints;
  private final Semaphore lingering;
  private final Channel channel;
  private final LoopGate gate;
  private final ConnectionWriter writer;
  private final ReceivedBytes received;
  private final AckLines acks;
  private final ReaderChoice choice;
  private final SenderRights rights;
  private final ReadThrottle throttle;
  private @Nullable RecordReader reader;
  private @Nullable RefusedException refused;
  private @Nullable HintListener hinted;
  private final AtomicLong totalBytes = new AtomicLong();
  private int unseenBytes;
  private boolean waiting;
  private boolean clockTold;
  private boolean told;
  private boolean abandoned;
  private boolean ended;
  private boolean done;

  SenderConnection(SenderPort port, LoopWriter loop, Channel channel) {
    this.intake = port.intake();
    this.mode = port.mode();
    this.hints = port.hints();
    this.lingering = port.lingering();
    this.channel = channel;
    this.gate = loop.gate();
    this.writer = new ConnectionWriter(loop, this::progressed);
    this.received = new ReceivedBytes(intake.held());
    this.acks = new AckLines(channel);
    this.rights = port.rights(channel);
    this.choice = new ReaderChoice(writer, intake, rights);
    this.throttle = new ReadThrottle(channel, intake, rights);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    gate.add(this);
    if (intake.admission().isClosed()) {
      var _ =
          channel
              .eventLoop()
              .schedule(
                  this::expectToken,
                  intake.admission().patience().toMillis(),
                  TimeUnit.MILLISECONDS);
    }
  }

  /** Nobody holds a connection without a token. */
  private void expectToken() {
    if (reader == null && refused == null && !ended && !rights.hasShown()) {
      refuse(rights.tooLate());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    int length = bytes.readableBytes();
    totalBytes.setRelease(totalBytes.getPlain() + length);
    throttle.read(length);
    received.add(bytes);
    unseenBytes += length;
    if (unseenBytes >= COALESCE_BYTES || refused != null) {
      store();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (unseenBytes > 0) {
      store();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
      end();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end();
  }

  /** Stores what can be stored, and looks after what comes of it. */
  private void store() {
    unseenBytes = 0;
    if (waiting) {
      return;
    }
    if (refused != null) {
      discard(refused.reason());
      received.settle();
    } else if (stored()) {
      received.settle();
    } else {
      waiting = true;
      gate.await(this);
    }
    progressed();
  }

  /** Acknowledges; says the last word once nothing is on its way any more. */
  private void progressed() {
    if (mode.acknowledgesLines() || reader instanceof BatchReader) {
      acks.send(writer.safeRecords());
    }
    if (!writer.allSafe() && !abandoned) {
      return;
    }
    if (refused != null) {
      tell(refused);
    }
    if (ended && !waiting) {
      finish();
    }
  }

  /** False if the writer takes nothing now. */
  private boolean stored() {
    try {
      rights.check();
      RecordReader current = reader != null ? reader : choice.choose(received, ended);
      listen();
      if (current == null) {
        return true;
      }
      if (reader == null && rights.hasRate()) {
        throttle.read(0); // Waits for what was read before the token was known.
      }
      reader = current;
      return current.store(received, ended);
    } catch (RefusedException e) {
      if (e.reason() != RejectReason.TOKEN) { // Those are told of together.
        REFUSALS.warn("refused", channel.remoteAddress(), String.valueOf(e.getMessage()));
      }
      refused = e;
      rights.refused(String.valueOf(e.getMessage()));
      discard(e.reason());
      return true;
    }
  }

  /** To hints, if the sender asks for them; before that, to this node's clock. */
  private void listen() {
    if (!clockTold && choice.asksForClock()) {
      clockTold = true;
      acks.tell(AnswerLine.clock(intake.clock().millis()));
    }
    if (hinted == null && choice.asksForHints()) {
      hinted = new HintListener(mode, totalBytes::getAcquire, this::tell);
      hints.add(hinted);
    }
  }

  /** Passes hints on, unless the connection ends. For any thread. */
  private void tell(String lines) {
    inLoop(() -> {
      if (!ended && refused == null) {
        acks.tell(lines);
      }
    });
  }

  @Override
  public void pause() {
    throttle.block();
  }

  @Override
  public void resume() {
    throttle.unblock();
  }

  @Override
  public void retry() {
    waiting = false;
    if (!done) {
      store();
    }
  }

  @Override
  public void refuse(RefusedException why) {
    abandoned = true;
    waiting = false;
    resume();
    if (refused == null) {
      refused = why;
      rights.refused(String.valueOf(why.getMessage()));
      store();
    } else {
      progressed();
    }
  }

  /** Tells the sender what is wrong, and reads on for a moment, since a reset could undo that. */
  private void tell(RefusedException why) {
    if (!told) {
      told = true;
      acks.sendError(String.valueOf(why.getMessage()));
      linger(why.reason() == RejectReason.TOKEN);
    }
  }

  /** Strangers that come and are refused in great numbers must not take all connections. */
  private void linger(boolean isStranger) {
    if (isStranger && !lingering.tryAcquire()) {
      closeChannel();
      return;
    }
    Runnable close =
        () -> {
          closeChannel();
          if (isStranger) {
            lingering.release();
          }
        };
    var _ = channel.eventLoop().schedule(close, LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void closeChannel() {
    var _ = channel.close();
  }

  private void discard(RejectReason reason) {
    if (reader != null) {
      reader.reject(received, reason);
    } else {
      intake.metrics().ledger.withoutTopic().turnedDown(reason, 0, received.size());
      received.drop(received.size());
    }
  }

  /** Nothing more will come: what is left is stored, and the connection is closed. */
  private void end() {
    if (!ended) {
      ended = true;
      store();
    }
  }

  private void finish() {
    if (!done) {
      done = true;
      if (hinted != null) {
        hints.remove(hinted);
      }
      received.release();
      gate.remove(this);
      writer.ended();
      acks.close();
      var _ =
          channel.eventLoop().schedule(this::closeChannel, GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Runs something on the loop that owns this. */
  void inLoop(Runnable action) {
    channel.eventLoop().execute(action);
  }

  /** Ends the connection once everything was read that its sender has sent so far. */
  void drain() {
    throttle.unlimited();
    long before = totalBytes.get();
    var _ =
        channel
            .eventLoop()
            .schedule(
                () -> {
                  if (before == totalBytes.get() && !waiting && !throttle.isPaused()) {
                    end();
                  } else if (!done) {
                    drain();
                  }
                },
                SILENCE_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  /** Ends the connection at once; what the writer does not take is counted as rejected. */
  void abandon() {
    abandoned = true;
    end();
    if (!done) {
      discard(RejectReason.CLOSED);
      finish();
    }
    closeChannel();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      log.debug("{}: connection lost", channel.remoteAddress(), cause);
    } else {
      log.error("{}: connection closed", channel.remoteAddress(), cause);
    }
    var _ = context.close();
  }
}
