package io.cordwood.query.gather;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What became of questions to other nodes. For all threads. */
final class GatherMetrics {
  private final MeterRegistry meters;
  private final Counter asked;
  private final Counter incomplete;

  GatherMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.asked = meters.counter("cordwood.query.peers.asked");
    this.incomplete = meters.counter("cordwood.query.incomplete");
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
    meters.counter("cordwood.query.peers.failed", "kind", kind).increment();
  }

  /** An answer was given that is possibly incomplete. */
  void incomplete() {
    incomplete.increment();
  }
}
