package io.cordwood.common.cluster;

import java.io.IOException;
import java.io.ObjectInput;

/** An {@link ObjectInput} that refuses every way of reading that no gossip object uses. */
abstract class RefusingObjectInput implements ObjectInput {
  static GossipFormatException refused() {
    return new GossipFormatException("no gossip object is read in this way");
  }

  @Override
  public final int read() throws IOException {
    throw refused();
  }

  @Override
  public final int read(byte[] into) throws IOException {
    throw refused();
  }

  @Override
  public final int read(byte[] into, int offset, int length) throws IOException {
    throw refused();
  }

  @Override
  public final void readFully(byte[] into, int offset, int length) throws IOException {
    throw refused();
  }

  @Override
  public final long skip(long bytes) throws IOException {
    throw refused();
  }

  @Override
  public final int skipBytes(int bytes) throws IOException {
    throw refused();
  }

  @Override
  public final int available() throws IOException {
    throw refused();
  }

  @Override
  public final boolean readBoolean() throws IOException {
    throw refused();
  }

  @Override
  public final byte readByte() throws IOException {
    throw refused();
  }

  @Override
  public final short readShort() throws IOException {
    throw refused();
  }

  @Override
  public final int readUnsignedShort() throws IOException {
    throw refused();
  }

  @Override
  public final char readChar() throws IOException {
    throw refused();
  }

  @Override
  public final float readFloat() throws IOException {
    throw refused();
  }

  @Override
  public final double readDouble() throws IOException {
    throw refused();
  }

  @Override
  public final String readLine() throws IOException {
    throw refused();
  }

  @Override
  public final void close() {}
}
