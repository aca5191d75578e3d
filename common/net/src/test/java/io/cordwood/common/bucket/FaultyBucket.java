package io.cordwood.common.bucket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A bucket that does something else than it is asked for, as long as it is told to. */
public final class FaultyBucket extends ForwardingBucket {
  public volatile Predicate<String> hides = _ -> false;
  public volatile UnaryOperator<Entry> misreads = it -> it;
  public volatile Predicate<String> refusesPuts = _ -> false;
  public volatile BucketException.Kind refusal = BucketException.Kind.UNREACHABLE;
  public volatile boolean listsNothing;
  public volatile boolean readsNothing;
  public volatile boolean tailsNothing;
  public volatile boolean flipsBytes;
  public volatile boolean refusesDeletes;
  public volatile boolean losesDeletes;
  public volatile boolean losesAnswersToDeletes;

  public volatile TailHook beforeTail = _ -> {};

  /** Done before the end of an object is read. */
  @FunctionalInterface
  public interface TailHook {
    void run(String key) throws IOException;
  }

  public FaultyBucket(Bucket bucket) {
    super(bucket);
  }

  private static void failIf(boolean failing) throws BucketException {
    if (failing) {
      throw new BucketException(BucketException.Kind.UNREACHABLE, "expected: 503");
    }
  }

  @Override
  public void put(String key, ObjectContent content) throws IOException {
    if (refusesPuts.test(key)) {
      throw new BucketException(refusal, "expected: 503");
    }
    bucket.put(key, content);
  }

  @Override
  public void read(String key, long position, ByteBuffer target) throws IOException {
    failIf(readsNothing);
    int at = target.position();
    bucket.read(key, position, target);
    if (flipsBytes) {
      target.put(at + 40, (byte) (target.get(at + 40) ^ 1));
    }
  }

  @Override
  public Tail tail(String key, int bytes) throws IOException {
    failIf(tailsNothing && key.endsWith(".cws"));
    beforeTail.run(key);
    return bucket.tail(key, bytes);
  }

  @Override
  public Page list(String prefix, String after) throws IOException {
    failIf(listsNothing);
    Page page = bucket.list(prefix, after);
    return new Page(
        page.entries().stream().filter(it -> !hides.test(it.key())).map(misreads).toList(),
        page.next());
  }

  @Override
  public void delete(String key) throws IOException {
    if (refusesDeletes) {
      throw new BucketException(BucketException.Kind.DENIED, "expected: 403");
    }
    if (!losesDeletes) {
      bucket.delete(key);
    }
    failIf(losesAnswersToDeletes);
  }
}
