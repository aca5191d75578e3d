package io.cordwood.query.gather;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counters of questions to other nodes by outcome. For all threads. */
final class GatherMetrics {
  private static final List<String> KINDS = List.of("late", "refused", "broken", "rubbish");

  private final MeterRegistry meters;
  private final Counter asked;
  private final Counter incomplete;

  GatherMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.asked = meters.counter("cordwood.query.peers.asked");
    this.incomplete = meters.counter("cordwood.query.incomplete");
    KINDS.forEach(this::failures);
  }

  void asked() {
    asked.increment();
  }

  /**
   * A peer did not answer as it should.
   *
   * @param kind {@code late}, {@code refused}, {@code broken} or {@code rubbish}
   */
  void failed(String kind) {
    failures(kind).increment();
  }

  private Counter failures(String kind) {
    return meters.counter("cordwood.query.peers.failed", "kind", kind);
  }

  /** An answer was given that is possibly incomplete. */
  void incomplete() {
    incomplete.increment();
  }
}
