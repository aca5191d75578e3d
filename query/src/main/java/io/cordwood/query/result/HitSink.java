package io.cordwood.query.result;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;

/** Takes groups of hits in order. */
@FunctionalInterface
public interface HitSink {
  /** Whether it wants more. */
  boolean accept(BlockHits hits, BlockHits.Group group) throws IOException;

  /** Nothing that comes from now on is before this ULID. */
  default void passed(Ulid ulid) throws IOException {}

  /** The next hit is still awaited: anything written so far may be sent. */
  default void idle() throws IOException {}
}
