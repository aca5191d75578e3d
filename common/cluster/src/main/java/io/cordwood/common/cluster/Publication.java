package io.cordwood.common.cluster;

import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The description of this node that others have been given. A change that could not be published is
 * published the next time.
 */
final class Publication {
  private static final Logger LOG = LoggerFactory.getLogger(Publication.class);

  private volatile NodeInfo published;

  /**
   * @param published with which this node joins
   */
  Publication(NodeInfo published) {
    this.published = published;
  }

  /**
   * Publishes a change, if there is one; does not wait for it.
   *
   * @param update gives the others the bytes of a description
   */
  void publish(NodeInfo current, Function<byte[], Mono<Void>> update) {
    if (current.equals(published)) {
      return;
    }
    try {
      update
          .apply(NodeInfoCodec.encode(current))
          .subscribe(null, Publication::failed, () -> published = current);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private static void failed(Throwable why) {
    LOG.warn("could not publish this node's load, and tries again: {}", why.toString());
  }
}
