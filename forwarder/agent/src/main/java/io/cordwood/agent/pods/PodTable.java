package io.cordwood.agent.pods;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Pods by uid, a bounded number of them. For any threads. */
final class PodTable {
  /** Many times what a kubelet runs. */
  static final int MOST_PODS = 2000;

  /** For files of a pod that are still read when it is gone. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Map<String, Pod> pods = new LinkedHashMap<>();

  /** Pods that are gone, those first that went first, and when they did. */
  private final Map<String, Long> gone = new LinkedHashMap<>();

  private final LongAdder ignored = new LongAdder();
  private long changes;

  synchronized @Nullable Pod get(String uid) {
    return pods.get(uid);
  }

  synchronized int size() {
    return pods.size();
  }

  /** Grows with each change of what is known. */
  synchronized long changes() {
    return changes;
  }

  /** How many pods were left out. */
  long ignored() {
    return ignored.sum();
  }

  void ignore() {
    ignored.increment();
  }

  synchronized void put(Pod pod) {
    forgetGone();
    gone.remove(pod.uid());
    if (pods.size() >= MOST_PODS && !pods.containsKey(pod.uid()) && !forgetOneGone()) {
      ignored.increment();
      return;
    }
    if (!pod.equals(pods.put(pod.uid(), pod))) {
      changes++;
    }
  }

  synchronized void remove(String uid) {
    forgetGone();
    if (pods.containsKey(uid)) {
      gone.putIfAbsent(uid, System.nanoTime());
    }
  }

  /** All others are gone. */
  synchronized void keep(Collection<String> uids) {
    for (String uid : pods.keySet()) {
      if (!uids.contains(uid)) {
        gone.putIfAbsent(uid, System.nanoTime());
      }
    }
  }

  private void forgetGone() {
    long now = System.nanoTime();
    gone.entrySet()
        .removeIf(each -> {
          boolean isOver = now - each.getValue() > KEPT_NANOS;
          if (isOver) {
            pods.remove(each.getKey());
          }
          return isOver;
        });
  }

  private boolean forgetOneGone() {
    Iterator<String> first = gone.keySet().iterator();
    if (!first.hasNext()) {
      return false;
    }
    pods.remove(first.next());
    first.remove();
    return true;
  }
}
