package io.cordwood.common.file;

import java.io.Closeable;
import java.nio.channels.FileChannel;

/** An open file that does not change any more; it can be read even after it was deleted. */
public interface ReadableFile extends ByteSource, Closeable {
  /**
   * For sending ranges without a copy in user space; owned by this file, never closed by the
   * caller.
   */
  FileChannel channel();
}
