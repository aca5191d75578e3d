package io.cordwood.store.node;

import io.cordwood.store.cold.ColdUploader;
import io.cordwood.store.keep.ColdRetention;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The work of a store in a bucket, on threads of its own. */
record ColdWork(Optional<ColdUploader> uploader, Optional<ColdRetention> retention) {
  static final ColdWork NONE = new ColdWork(Optional.empty(), Optional.empty());

  /** Threads to be, by their names. */
  Map<String, Runnable> workers() {
    var workers = new TreeMap<String, Runnable>();
    uploader.ifPresent(it -> workers.put("cold", it));
    retention.ifPresent(it -> workers.put("cold-keep", it));
    return workers;
  }

  /** Breaks off what is asked of the bucket. */
  void stopCalling() {
    uploader.ifPresent(ColdUploader::close);
    retention.ifPresent(ColdRetention::close);
  }
}
