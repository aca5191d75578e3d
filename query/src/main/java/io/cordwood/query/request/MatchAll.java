package io.cordwood.query.request;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;

/** Leaves nothing out. */
public enum MatchAll implements Selection {
  /** The only one. */
  SELECTED;

  @Override
  public boolean overlaps(Topic topic, UlidRange range) {
    return true;
  }

  @Override
  public int[] places(Topic topic, Ulid first, int records) {
    return new int[] {0, records};
  }
}
