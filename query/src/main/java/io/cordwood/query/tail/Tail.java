package io.cordwood.query.tail;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.request.Query;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * A stream that is wanted.
 *
 * @param query for what is received; without a range
 * @param wanted of which topics and labels batches are, besides
 * @param backlog what was received before; empty if that is not wanted
 * @param window how long a record waits for others that belong before it
 * @param lateWindow by which records may come late and are not missed by who goes on
 */
public record Tail(
    Query query,
    BiPredicate<Topic, Labels> wanted,
    Optional<Backlog> backlog,
    Duration window,
    Duration lateWindow) {
  /**
   * The records before a stream.
   *
   * @param all of them, of which those from the newest on are given
   * @param newest each for some of the newest; empty if all are given
   * @param most this number of all that they find tells where to begin
   */
  public record Backlog(Query all, List<Query> newest, long most) {
    static Backlog everything(Query query) {
      return new Backlog(query, List.of(), Query.UNLIMITED);
    }
  }
}
