package io.cordwood.ingest.sender;

import io.cordwood.common.tls.PortTls;
import io.cordwood.common.wire.AnswerLine;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/**
 * Sends a sender its {@link AnswerLine}s. One line is on its way at a time, and only the largest
 * acknowledgement waits after it: a sender that does not read costs nothing. For the connection's
 * event loop.
 */
final class AckLines {
  private final Channel channel;
  private long records;
  private long sentRecords;
  private boolean sending;
  private boolean closing;

  AckLines(Channel channel) {
    this.channel = channel;
  }

  /** Acknowledges a number of records in all, as soon as the sender takes it. */
  void send(long total) {
    records = total;
    if (sending || closing || records == sentRecords) {
      return;
    }
    sending = true;
    sentRecords = records;
    write(AnswerLine.ack(records)).addListener(_ -> sent());
  }

  private void sent() {
    sending = false;
    send(records);
  }

  /** Passes lines on; not to a sender that does not read. */
  void tell(String lines) {
    if (!closing && channel.isWritable()) {
      var _ = write(lines);
    }
  }

  /** Says what is wrong, and that nothing more will be said. */
  void sendError(String why) {
    sendLast();
    write(AnswerLine.error(why)).addListener(_ -> PortTls.shutdownOutput(channel));
  }

  private ChannelFuture write(String line) {
    return channel.writeAndFlush(ByteBufUtil.writeUtf8(channel.alloc(), line));
  }

  /** Closes the connection after the last acknowledgement. */
  void close() {
    sendLast();
    var _ = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void sendLast() {
    if (!closing && records != sentRecords) {
      var _ = write(AnswerLine.ack(records));
    }
    closing = true;
  }
}
