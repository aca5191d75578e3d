package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;

/** Records that are read as if they were not there. Immutable. */
public interface LeftOut {
  /** Everything is read. */
  LeftOut NOTHING =
      new LeftOut() {
        @Override
        public boolean touches(UlidRange range) {
          return false;
        }

        @Override
        public Extent of(Topic topic, UlidRange range) {
          return Extent.NONE;
        }

        @Override
        public boolean has(Topic topic, Ulid record) {
          return false;
        }
      };

  /** How much of some records. */
  enum Extent {
    /** Not one. */
    NONE,
    /** Perhaps some. */
    SOME,
    /** Each. */
    ALL
  }

  /** Whether any record of a range may be left out, of whatever topic. */
  boolean touches(UlidRange range);

  /** How many of a topic's records of a range are left out. */
  Extent of(Topic topic, UlidRange range);

  /** Whether a record is left out. */
  boolean has(Topic topic, Ulid record);
}
