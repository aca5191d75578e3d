package io.cordwood.store.segment;

/** The state of a store segment; on the disk, the ending of its file's name. */
public enum StoreSegmentState {
  /** Being written; promises nothing, and is deleted at the next start. */
  ACTIVE(".active"),
  /** Whole, durable, queryable. */
  FLUSHED(".flushed"),
  /** Beyond retention; not queryable, deleted after a grace. */
  TRASHED(".trashed"),
  /** Set aside because bytes of it are damaged; its intact batches stand in another segment. */
  DAMAGED(".damaged"),
  /** As one set aside, but what was lost with it is on stores again, as often as it should be. */
  RESTORED(".restored");

  private final String ending;

  StoreSegmentState(String ending) {
    this.ending = ending;
  }

  String ending() {
    return ending;
  }
}
