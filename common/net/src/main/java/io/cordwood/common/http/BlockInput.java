package io.cordwood.common.http;

import java.io.IOException;
import java.io.InputStream;

/** A body that is read in blocks, as it is meant to be; a single byte is a block of one. */
public abstract class BlockInput extends InputStream {
  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public abstract int read(byte[] bytes, int offset, int length) throws IOException;
}
