package io.cordwood.ingest.gelf;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.message.Framing;
import io.cordwood.ingest.message.MessageReader;
import org.slf4j.LoggerFactory;

/** Makes a record of each object. What is none is counted and logged, and others go on. */
final class GelfReader implements MessageReader {
  private static final RateLimitedLog INVALID =
      new RateLimitedLog(LoggerFactory.getLogger(GelfReader.class));

  private final EventOrigins origins;
  private final GelfObject object = new GelfObject();

  GelfReader(EventOrigins origins) {
    this.origins = origins;
  }

  @Override
  public void read(byte[] bytes, int from, int to, boolean continued, Events events)
      throws RefusedException {
    if (continued) {
      return; // Its beginning was refused, being no whole object.
    }
    try {
      readOne(bytes, from, to, events);
    } catch (NotGelfException e) {
      events.refuse(to - from);
      INVALID.warn("dropped a message of", "GELF", why(e, to - from));
    }
  }

  static boolean isTooLong(int bytes) {
    return bytes >= Framing.MAX_BYTES;
  }

  /**
   * Says why a message is none.
   *
   * @param bytes of it that were looked at: of one that is too long, the first
   */
  static String why(NotGelfException e, int bytes) {
    return isTooLong(bytes)
        ? "expected at most %d bytes, found more".formatted(Framing.MAX_BYTES)
        : String.valueOf(e.getMessage());
  }

  void readOne(byte[] bytes, int from, int to, Events events)
      throws RefusedException, NotGelfException {
    object.read(bytes, from, to);
    events.addWhole(
        origins.of(object.labels()),
        object.time(),
        object.line().bytes(),
        0,
        object.line().length(),
        to - from);
  }
}
