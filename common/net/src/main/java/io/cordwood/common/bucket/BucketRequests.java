package io.cordwood.common.bucket;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was asked of a place, every attempt by itself. Safe for all threads. */
public final class BucketRequests {
  private final Map<Verb, LongAdder> made = new EnumMap<>(Verb.class);
  private final LongAdder failed = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();

  /** Kinds of requests, which are billed at different prices. */
  public enum Verb {
    PUT,
    GET,
    HEAD,
    LIST,
    DELETE
  }

  BucketRequests() {
    for (Verb verb : Verb.values()) {
      made.put(verb, new LongAdder());
    }
  }

  void made(Verb verb) {
    adder(verb).increment();
  }

  void failed() {
    failed.increment();
  }

  void sent(long bytes) {
    sent.add(bytes);
  }

  void received(long bytes) {
    received.add(bytes);
  }

  private LongAdder adder(Verb verb) {
    LongAdder adder = made.get(verb);
    if (adder == null) {
      throw new IllegalStateException("every verb has a counter");
    }
    return adder;
  }

  public long count(Verb verb) {
    return adder(verb).sum();
  }

  /** Attempts that ended in anything but what was asked for. */
  public long failures() {
    return failed.sum();
  }

  /** Bytes of objects that were put, each attempt by itself. */
  public long sentBytes() {
    return sent.sum();
  }

  /** Bytes of bodies that came, lists and errors too. */
  public long receivedBytes() {
    return received.sum();
  }
}
