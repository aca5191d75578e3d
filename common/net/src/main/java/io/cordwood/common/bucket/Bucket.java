package io.cordwood.common.bucket;

import io.cordwood.common.wire.CorruptException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A place for objects that do not change: what has a key is put whole, read in ranges, listed and
 * deleted. No operation relies on another one being exclusive. Calls block; safe for all threads.
 *
 * <p>All failures are {@link BucketException}s, which say what kind of failure it is, but for bytes
 * that turn out to be others than were put: a {@link CorruptException}, as far as a place can tell.
 * What may pass was tried again before one is thrown.
 */
public interface Bucket extends Closeable {
  /**
   * An object in a list.
   *
   * @param bytes its length
   * @param modified when it was put, by the clock of the place
   */
  record Entry(String key, long bytes, Instant modified) {
    /** One that is encrypted, with the length of what was put. */
    public Entry decrypted() {
      return new Entry(key, EncryptedFrames.plainBytes(bytes), modified);
    }
  }

  /**
   * A part of a list.
   *
   * @param entries in the order of their keys' bytes, which services that go by folders keep to
   *     only as long as what follows a folder's name in others is greater than a slash; those that
   *     have no key as {@link #put} takes it are left out
   * @param next to go on after; empty if there are no others
   */
  record Page(List<Entry> entries, Optional<String> next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /**
   * A part of an object, up to its end or before.
   *
   * @param bytes as many as were asked for, or all there are if these are fewer
   * @param size of the whole object
   */
  record Tail(ByteBuffer bytes, long size) {
    /** At the end of an object they show whether it is encrypted. */
    public static final int MARK_BYTES = EncryptedFrames.OVERHEAD_BYTES;

    /** Whether this is the end of an object that was put with a key, read without it. */
    public boolean isEncrypted() {
      return EncryptedFrames.isEndOfOne(bytes);
    }

    /**
     * Refuses the end of an object that is encrypted, which is no use without the key.
     *
     * @throws BucketException if it ends as one that was put with a key
     */
    public void refuseEncrypted(String key) throws BucketException {
      if (isEncrypted()) {
        throw new BucketException(
            BucketException.Kind.KEY, key + ": is encrypted; expected key=FILE in the place");
      }
    }
  }

  /**
   * Puts an object, in place of what has that key. Once this returns, readers see all of it and it
   * survives the loss of power, as far as the place does. After an exception it may be there too.
   *
   * @param key 1 to 512 of {@code 0-9A-Za-z._/-}, no part of it empty or with a dot at its start;
   *     none goes on where another one ends, by a slash
   */
  void put(String key, ObjectContent content) throws IOException;

  /** Fills the rest of a buffer with an object's bytes from a position on. */
  void read(String key, long position, ByteBuffer target) throws IOException;

  /**
   * Reads an object from a position on, to its end if that comes before the bytes asked for. By two
   * requests, where a place has nothing better.
   *
   * @throws BucketException if the position is its end, or is beyond it
   */
  default Tail part(String key, long position, int bytes) throws IOException {
    long size = size(key).orElse(0);
    var target = ByteBuffer.allocate(Math.clamp(size - position, 1, bytes));
    read(key, position, target);
    return new Tail(target.flip(), size);
  }

  /** Reads the last bytes of an object. */
  Tail tail(String key, int bytes) throws IOException;

  /** The length of an object; empty if there is none. */
  OptionalLong size(String key) throws IOException;

  /**
   * Lists the next objects; pages have as many as the place chooses.
   *
   * @param prefix of the keys, may be empty
   * @param after only keys greater than this; empty for all
   */
  Page list(String prefix, String after) throws IOException;

  /** Lists all objects, in the order of their keys. */
  default List<Entry> listAll(String prefix) throws IOException {
    List<Entry> all = new ArrayList<>();
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      Page page = list(prefix, after.get());
      all.addAll(page.entries());
      after = page.next();
    }
    return all;
  }

  /** Deletes an object; one that is not there is no error. */
  void delete(String key) throws IOException;

  /** The address of the place, without the parameters that do not choose it; no space in it. */
  String url();

  /** The requests that were made, for metrics and bills. */
  BucketRequests requests();

  @Override
  void close();
}
