package io.cordwood.ingest.sender;

import io.cordwood.common.tls.PortTls;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/**
 * The lines of text that a sender is sent:
 *
 * <pre>
 *   ack N            N records of this connection are safe, as the port promises; cumulative
 *   error: WHY       nothing more is taken; the connection ends
 *   clock MILLIS     this node's time, once, to whoever asks for it
 *   HintLines        whoever asks for them
 * </pre>
 *
 * One line is on its way at a time, and only the largest N waits after it: a sender that does not
 * read costs nothing. For the connection's event loop.
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
    write("ack " + records + "\n").addListener(_ -> sent());
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
    write(error(why)).addListener(_ -> PortTls.shutdownOutput(channel));
  }

  /** The line that says so. */
  static String error(String why) {
    return "error: " + why.replaceAll("\\p{Cntrl}", "?") + "\n";
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
      var _ = write("ack " + records + "\n");
    }
    closing = true;
  }
}
