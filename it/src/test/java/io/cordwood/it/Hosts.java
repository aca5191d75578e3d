package io.cordwood.it;

import java.io.IOException;

/** Hosts on one network, which are gone when this is closed, with whatever runs on them. */
interface Hosts extends AutoCloseable {
  Host add(String name) throws IOException;

  /** Whether {@link Host#dropTo} can be used. */
  boolean canDrop();

  @Override
  void close() throws IOException;
}
