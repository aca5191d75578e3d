package io.cordwood.ingest.gelf;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.message.Framing;
import io.cordwood.ingest.message.GatheredMessages;
import io.cordwood.ingest.message.MessageDatagrams;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.slf4j.LoggerFactory;

/** Datagrams: a message each, or chunks of one; plain, or packed with gzip or zlib. */
final class GelfDatagrams implements MessageDatagrams.Unpacking {
  private static final RateLimitedLog DROPPED =
      new RateLimitedLog(LoggerFactory.getLogger(GelfDatagrams.class));

  private static final int ZLIB_METHOD = 8;

  private final Intake intake;
  private final GelfChunks chunks;

  GelfDatagrams(Intake intake, LongSupplier clock) {
    this.intake = intake;
    this.chunks = new GelfChunks(clock, intake.held(), this::incomplete);
  }

  @Override
  public void take(byte[] bytes, int length, InetAddress sender, GatheredMessages into) {
    try {
      if (GelfChunks.isChunk(bytes, length)) {
        Optional<byte[]> whole = chunks.take(bytes, length, sender);
        if (whole.isPresent()) {
          unpack(whole.get(), whole.get().length, into);
        }
      } else {
        unpack(bytes, length, into);
      }
    } catch (NotGelfException | IOException e) {
      refuse(RejectReason.INVALID, length);
      DROPPED.warn("dropped a datagram of", sender, String.valueOf(e.getMessage()));
    }
  }

  private static void unpack(byte[] bytes, int length, GatheredMessages into)
      throws IOException, NotGelfException {
    if (isGzip(bytes, length)) {
      add(new GZIPInputStream(new ByteArrayInputStream(bytes, 0, length)), into);
    } else if (isZlib(bytes, length)) {
      add(new InflaterInputStream(new ByteArrayInputStream(bytes, 0, length)), into);
    } else {
      add(bytes, length, into);
    }
  }

  /** Some senders put a NUL at the end, as over TCP. */
  private static void add(byte[] message, int length, GatheredMessages into) {
    boolean hasNul = length > 0 && message[length - 1] == 0;
    into.add(message, 0, hasNul ? length - 1 : length, length);
  }

  private static void add(InputStream packed, GatheredMessages into)
      throws IOException, NotGelfException {
    try (packed) {
      byte[] message = packed.readNBytes(Framing.MAX_BYTES + 1);
      if (message.length > Framing.MAX_BYTES) {
        throw new NotGelfException(
            "expected at most " + Framing.MAX_BYTES + " bytes, unpacked, found more");
      }
      add(message, message.length, into);
    } catch (EOFException e) {
      throw new NotGelfException("expected all of a packed message, found its beginning");
    }
  }

  private static boolean isGzip(byte[] bytes, int length) {
    return length > 2 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b;
  }

  /** As RFC 1950 has it: the method, and two bytes that are a multiple of 31. */
  private static boolean isZlib(byte[] bytes, int length) {
    return length > 2
        && (bytes[0] & 0x0f) == ZLIB_METHOD
        && ((bytes[0] & 0xff) << 8 | (bytes[1] & 0xff)) % 31 == 0;
  }

  private void incomplete(long bytes) {
    refuse(RejectReason.CUT, bytes);
    DROPPED.warn(
        "dropped a message in chunks, not all of which came in time, of", "GELF", bytes + " bytes");
  }

  private void refuse(RejectReason reason, long bytes) {
    intake.metrics().ledger.read(bytes);
    intake.metrics().ledger.withoutTopic().turnedDown(reason, 1, bytes);
  }

  @Override
  public void pause() {
    chunks.giveUp(false);
  }

  @Override
  public boolean isIdle() {
    return chunks.isEmpty();
  }

  @Override
  public void end() {
    chunks.giveUp(true);
  }
}
