package io.cordwood.store.segment;

import io.cordwood.common.file.ByteSource;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of which the disk may not give everything: a page that cannot be read reads as zeros, so
 * that a salvage takes it for damage and finds what is intact around it. One thread.
 */
final class ReadablePages implements ByteSource {
  private static final int PAGE_BYTES = 4096;

  private final ByteSource source;
  private long unreadableBytes;

  ReadablePages(ByteSource source) {
    this.source = source;
  }

  /** Bytes that could not be read; those that were asked for again count again. */
  long unreadableBytes() {
    return unreadableBytes;
  }

  @Override
  public long size() throws IOException {
    return source.size();
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    int from = target.position();
    if (!isRead(target, position)) {
      readPages(target.position(from), position);
    }
  }

  /** False if the disk does not give it; the position of the target is anywhere then. */
  private boolean isRead(ByteBuffer target, long position) throws IOException {
    try {
      source.read(target, position);
      return true;
    } catch (EOFException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  private void readPages(ByteBuffer target, long position) throws IOException {
    int limit = target.limit();
    long at = position;
    while (target.position() < limit) {
      int bytes = (int) Math.min(PAGE_BYTES - at % PAGE_BYTES, limit - target.position());
      readPage(target.limit(target.position() + bytes), at);
      at += bytes;
      target.limit(limit);
    }
  }

  private void readPage(ByteBuffer target, long position) throws IOException {
    int from = target.position();
    if (!isRead(target, position)) {
      // What is said of it is said by the salvage that meets the zeros.
      target.position(from);
      unreadableBytes += target.remaining();
      while (target.hasRemaining()) {
        target.put((byte) 0);
      }
    }
  }
}
