package io.cordwood.common.cluster;

import java.time.InstantSource;

/** Time that passes from event to event, on one thread. */
public interface VirtualTime extends InstantSource {
  long nanos();

  void after(long delayNanos, Runnable run);
}
