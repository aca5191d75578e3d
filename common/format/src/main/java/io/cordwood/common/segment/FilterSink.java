package io.cordwood.common.segment;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the bytes of a section in order; must have taken all of a buffer when it returns. */
@FunctionalInterface
public interface FilterSink {
  void write(ByteBuffer bytes) throws IOException;
}
