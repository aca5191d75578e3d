package io.cordwood.ingest.event;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.push.PushSession;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of a request that its token may not send, of a protocol that has no words for
 * some of a request. Clients give up what is answered 400, and send again what others answer; so
 * the rest is stored first. For one thread.
 */
final class ForbiddenEvents implements Events.Forbidden {
  private long count;
  private @Nullable RefusedException last;

  @Override
  public void refused(RefusedException why) {
    count++;
    last = why;
  }

  /**
   * Looks whether there were some, once all events were read.
   *
   * @throws RefusedException if the token may send none of them
   * @throws HttpError 400 if it may send others, which are stored then
   */
  void check(PushSession session) throws RefusedException {
    RefusedException why = last;
    if (why == null) {
      return;
    }
    if (session.records().records() == 0) {
      throw why;
    }
    session.commit();
    throw new HttpError(
        400,
        "%d of %d records are refused, and the others are stored: %s"
            .formatted(count, count + session.records().records(), why.getMessage()));
  }
}
