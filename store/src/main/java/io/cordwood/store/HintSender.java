package io.cordwood.store;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.PeerClient;
import io.cordwood.common.http.PeerResponse;
import io.cordwood.common.segment.CopiesSeen;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells stores of what queries missed copies of: the holder with the smallest node id, since it is
 * the one that makes the copies, be it this very node. For nodes of any role.
 *
 * <p>Hints wait in a bounded queue for a thread of its own; what is too much, and what cannot be
 * said, is dropped and counted, since repair finds it by itself in the end. For all threads.
 */
public final class HintSender implements CopiesSeen, AutoCloseable {
  /** Most hints that wait. */
  static final int MAX_WAITING = 256;

  private static final Logger LOG = LoggerFactory.getLogger(HintSender.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Supplier<List<StorePeer>> stores;
  private final MeterRegistry registry;
  private final PeerClient client = new PeerClient(TIMEOUT, TIMEOUT);
  private final BlockingQueue<Hint> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread thread;

  private record Hint(String holder, UlidRange range) {}

  private enum Outcome {
    SENT,
    FULL,
    FAILED
  }

  /**
   * @param stores that are there now, with this node if it is one
   */
  public HintSender(Supplier<List<StorePeer>> stores, MeterRegistry registry) {
    this.stores = stores;
    this.registry = registry;
    this.thread = Thread.ofVirtual().name("hints").start(this::run);
  }

  @Override
  public void tooFew(Topic topic, UlidRange firstUlids, Set<String> holders) {
    if (!waiting.offer(new Hint(Collections.min(holders), firstUlids))) {
      count(Outcome.FULL);
    }
  }

  private void run() {
    try {
      while (true) {
        count(send(waiting.take()));
      }
    } catch (InterruptedException e) {
      LOG.debug("closed", e);
    }
  }

  private Outcome send(Hint hint) {
    Optional<StorePeer> holder =
        stores.get().stream().filter(s -> s.nodeId().equals(hint.holder)).findFirst();
    if (holder.isEmpty()) {
      return Outcome.FAILED;
    }
    try (PeerResponse response = client.post(uri(holder.get(), hint.range), TIMEOUT)) {
      return response.status() == 202 ? Outcome.SENT : Outcome.FAILED;
    } catch (IOException e) {
      LOG.debug("{} is not told of missing copies: {}", holder.get(), e.toString());
      return Outcome.FAILED;
    }
  }

  private static URI uri(StorePeer store, UlidRange range) {
    return store
        .uri()
        .resolve(
            "%s?%s=%s&%s=%s"
                .formatted(
                    ApiPaths.STORE_HINT,
                    ApiParams.FROM_ULID,
                    range.from(),
                    ApiParams.TO_ULID,
                    range.to()));
  }

  private void count(Outcome outcome) {
    Counter.builder("cordwood.hints")
        .description("Hints to stores about copies that queries missed")
        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  /** Drops what waits. */
  @Override
  public void close() {
    thread.interrupt();
    client.close();
  }
}
