package io.cordwood.common.cluster;

import io.micrometer.core.instrument.Counter;
import io.scalecube.cluster.transport.api.Message;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.Disposables;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/**
 * The messages that came, for those who listen and those who wait for an answer. Filled by one
 * thread, asked by any.
 *
 * <p>A node that starts waits for as many answers as there are others: each message finds the one
 * that it answers by its correlation id.
 */
final class Inbox {
  /** Messages that may wait for one listener; a cluster of hundreds sends some tens a second. */
  static final int MAX_WAITING = 256;

  private final Sinks.Many<Message> received = Sinks.many().multicast().directBestEffort();
  private final Map<String, MonoSink<Message>> awaited = new ConcurrentHashMap<>();
  private final Counter dropped;
  private volatile boolean open;

  /**
   * @param dropped counts messages that came faster than a listener took them
   */
  Inbox(Counter dropped) {
    this.dropped = dropped;
  }

  /** Begins to pass on messages; those that came before are lost. */
  void open() {
    open = true;
  }

  void take(Message message) {
    if (!open) {
      return;
    }
    String id = message.correlationId();
    MonoSink<Message> asker = id == null ? null : awaited.remove(id);
    received.tryEmitNext(message);
    if (asker != null) {
      asker.success(message);
    }
  }

  /** No more will come. */
  void end() {
    received.tryEmitComplete();
    awaited.values().forEach(MonoSink::success);
    awaited.clear();
  }

  Flux<Message> listen() {
    return received
        .asFlux()
        .onBackpressureBuffer(
            MAX_WAITING, _ -> dropped.increment(), BufferOverflowStrategy.DROP_LATEST);
  }

  /**
   * The answer to a request, which is sent when somebody waits for it.
   *
   * @param sending fails if the request could not be sent
   */
  Mono<Message> answer(Message request, Mono<Void> sending) {
    String id = Objects.requireNonNull(request.correlationId(), "correlation id");
    return Mono.create(asker -> {
      awaited.put(id, asker);
      asker.onDispose(
          Disposables.composite(
              sending.subscribe(null, asker::error), () -> awaited.remove(id, asker)));
    });
  }
}
