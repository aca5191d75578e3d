package io.cordwood.common.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.cold.ColdFetcher.Permission;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.run.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Joined blocks that a query reads, in memory from when they are about to be read until the last of
 * them was. For all threads.
 */
final class ColdRange {
  private final ColdFetcher fetcher;
  private final ColdObject object;
  private final JoinedBlocks range;
  private final Permission permission;
  private int unread;
  private @Nullable CompletableFuture<ByteBuffer> coming;

  ColdRange(ColdFetcher fetcher, ColdObject object, JoinedBlocks range, Permission permission) {
    this.fetcher = fetcher;
    this.object = object;
    this.range = range;
    this.permission = permission;
    this.unread = range.blocks();
  }

  /** Begins to get it, if that was not begun and there is memory. Does not wait. */
  synchronized @Nullable CompletableFuture<ByteBuffer> begin() {
    if (coming == null && unread > 0) {
      coming = fetcher.begin(object, range, permission);
    }
    return coming;
  }

  /**
   * The range's bytes, as a part of the object; empty if there is no memory for them.
   *
   * @throws IOException if they were not got; so it is for all blocks of the range
   */
  Optional<ByteSource> bytes() throws IOException {
    CompletableFuture<ByteBuffer> got = begin();
    if (got == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new At(range.from(), ByteSource.of(Threads.await(got)), object.bytes()));
    } catch (ExecutionException e) {
      String why = e.getCause() instanceof IOException cause ? "" + cause.getMessage() : "" + e;
      Kind kind = e.getCause() instanceof BucketException cause ? cause.kind() : Kind.UNEXPECTED;
      throw new BucketException(kind, why, e);
    }
  }

  /** A block of it was read, or will not be. */
  synchronized void read() {
    if (unread > 0 && --unread == 0) {
      letGo();
    }
  }

  /** No block of it will be read any more. */
  synchronized void close() {
    unread = 0;
    letGo();
  }

  private void letGo() {
    CompletableFuture<ByteBuffer> begun = coming;
    if (begun != null) {
      coming = null;
      fetcher.release(range, begun);
    }
  }

  /** Some bytes, where they are in the object. */
  private record At(long from, ByteSource bytes, long size) implements ByteSource {
    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      bytes.read(target, position - from);
    }
  }
}
