package io.cordwood.store.replicate;

import io.cordwood.common.file.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.function.LongConsumer;

/**
 * The file that a replica is written to, as long as it may be written: with each piece that comes
 * it is asked anew.
 *
 * @param beforeGrowing is told how long the file is about to be; throws if it may not be
 */
record ReplicaChannel(WritableFile file, LongConsumer beforeGrowing)
    implements GatheringByteChannel {
  @Override
  public int write(ByteBuffer source) throws IOException {
    beforeGrowing.accept(file.size() + source.remaining());
    return file.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += sources[i].remaining();
    }
    beforeGrowing.accept(file.size() + bytes);
    return file.write(sources, offset, length);
  }

  @Override
  public long write(ByteBuffer[] sources) throws IOException {
    return write(sources, 0, sources.length);
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  /** The file is not this channel's to close. */
  @Override
  public void close() {}
}
