package io.cordwood.common.bucket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * A bucket that does something else than the one that it is made of; what is not overridden goes on
 * to that one, but for {@link #part} and {@link #listAll}, which are made of the others here.
 */
abstract class ForwardingBucket implements Bucket {
  final Bucket bucket;

  /**
   * @param bucket which is closed with this
   */
  ForwardingBucket(Bucket bucket) {
    this.bucket = bucket;
  }

  @Override
  public void put(String key, ObjectContent content) throws IOException {
    bucket.put(key, content);
  }

  @Override
  public void read(String key, long position, ByteBuffer target) throws IOException {
    bucket.read(key, position, target);
  }

  @Override
  public Tail tail(String key, int bytes) throws IOException {
    return bucket.tail(key, bytes);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return bucket.size(key);
  }

  @Override
  public Page list(String prefix, String after) throws IOException {
    return bucket.list(prefix, after);
  }

  @Override
  public void delete(String key) throws IOException {
    bucket.delete(key);
  }

  @Override
  public String url() {
    return bucket.url();
  }

  @Override
  public BucketRequests requests() {
    return bucket.requests();
  }

  @Override
  public void close() {
    bucket.close();
  }

  @Override
  public String toString() {
    return bucket.toString();
  }
}
