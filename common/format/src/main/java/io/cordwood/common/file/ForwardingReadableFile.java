package io.cordwood.common.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file that is read as another one is; whoever extends this changes what some calls do. */
public abstract class ForwardingReadableFile implements ReadableFile {
  private final ReadableFile file;

  /**
   * @param file which is closed with this
   */
  protected ForwardingReadableFile(ReadableFile file) {
    this.file = file;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    file.read(target, position);
  }

  @Override
  public FileChannel channel() {
    return file.channel();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
