package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;

/** Which batch it is: what has the same topic and the same first ULID is the same batch. */
public interface BatchIdentity {
  Topic topic();

  Ulid first();

  int records();
}
