package io.cordwood.ingest.fluent;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.EventTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When an event was, and what stands beside that.
 *
 * @param metadata at a map, or null
 */
record ForwardStamp(EventTime time, @Nullable Packed metadata) {
  /** One that needs nothing of the message that it came in. */
  ForwardStamp kept() throws RefusedException {
    if (metadata == null) {
      return this;
    }
    Packed end = metadata.copy();
    end.skip();
    byte[] own = Arrays.copyOfRange(metadata.array(), metadata.at(), end.at());
    return new ForwardStamp(time, new Packed().over(own, 0, own.length));
  }
}
