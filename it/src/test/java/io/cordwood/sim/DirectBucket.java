package io.cordwood.sim;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.bucket.SimContents;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What is really in a simulated bucket, for checks. */
record DirectBucket(SimBucket place, Sim sim) implements Bucket {
  @Override
  public void put(String key, ObjectContent content) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String key) {
    throw new UnsupportedOperationException();
  }

  private byte[] bytes(String key) {
    return place.get(key).orElseThrow().bytes();
  }

  @Override
  public void read(String key, long position, ByteBuffer target) {
    target.put(bytes(key), (int) position, target.remaining());
  }

  @Override
  public Tail tail(String key, int count) {
    byte[] bytes = bytes(key);
    int from = Math.max(0, bytes.length - count);
    return new Tail(ByteBuffer.wrap(bytes, from, bytes.length - from).slice(), bytes.length);
  }

  @Override
  public OptionalLong size(String key) {
    return OptionalLong.of(bytes(key).length);
  }

  @Override
  public Page list(String prefix, String after) {
    List<Entry> entries =
        place.after(after.compareTo(prefix) > 0 ? after : prefix).entrySet().stream()
            .filter(each -> each.getKey().startsWith(prefix))
            .map(each ->
                new Entry(
                    each.getKey(), each.getValue().bytes().length, sim.at(each.getValue().nanos())))
            .toList();
    return new Page(entries, Optional.empty());
  }

  @Override
  public String url() {
    return "s3://bucket";
  }

  @Override
  public BucketRequests requests() {
    return SimContents.requests();
  }

  @Override
  public void close() {}
}
