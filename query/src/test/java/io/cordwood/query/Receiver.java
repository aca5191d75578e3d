package io.cordwood.query;

import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.ArrivedBlocks;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.awaitility.Awaitility;

/**
 * What an ingest node has received, as a test says. A thousand virtual threads follow it in some
 * tests; waiting in a monitor, they now and then kept all their carriers for good (JDK-8369019).
 */
public final class Receiver implements SegmentSource, ArrivalSource {
  private static final UlidStamper STAMPER = new UlidStamper(InstantSource.system());

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Batch> batches = new ArrayList<>();
  private final List<Block> arrived = new ArrayList<>();
  private long lost;
  private int followers;
  private boolean dead;

  public static Ulid stamp(int records) {
    synchronized (STAMPER) {
      return STAMPER.stamp(records);
    }
  }

  public void receive(String... lines) {
    receive(Records.lines(stamp(lines.length), lines));
  }

  public void receive(Batch batch) {
    change(() -> {
      batches.add(batch);
      try {
        int _ = ArrivedBlocks.read(batch.encode(), 0, arrived::add);
      } catch (CorruptException e) {
        throw new AssertionError(e);
      }
    });
  }

  /** Says to those who follow that they missed so many. */
  public void lose(long records) {
    change(() -> lost = records);
  }

  /** Nobody can follow any more, or again. */
  public void dead(boolean now) {
    change(() -> dead = now);
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nobody follows any of them. */
  public static void awaitUnfollowed(List<Receiver> all) {
    Awaitility.await().until(() -> all.stream().allMatch(receiver -> receiver.followers() == 0));
  }

  public int followers() {
    lock.lock();
    try {
      return followers;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public View view(UlidRange range) throws IOException {
    lock.lock();
    try {
      return new SegmentFixture(1, 1, List.copyOf(batches)).view(range);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<ArrivalSource> arrivals() {
    return Optional.of(this);
  }

  @Override
  public Follower follow() throws IOException {
    lock.lock();
    try {
      if (dead) {
        throw new IOException("this node is dead");
      }
      followers++;
      return new One(arrived.size());
    } finally {
      lock.unlock();
    }
  }

  private final class One implements Follower {
    private int next;

    One(int next) {
      this.next = next;
    }

    @Override
    public Arrived await(Duration longest) throws IOException, InterruptedException {
      lock.lockInterruptibly();
      try {
        long left = longest.toNanos();
        while (next == arrived.size() && !dead && left > 0) {
          left = changed.awaitNanos(left);
        }
        if (dead) {
          throw new IOException("this node is dead");
        }
        List<Block> blocks = List.copyOf(arrived.subList(next, arrived.size()));
        next = arrived.size();
        long missed = blocks.isEmpty() ? 0 : lost;
        lost = blocks.isEmpty() ? lost : 0;
        return new Arrived(blocks, missed);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        followers--; // The others need not look: a thousand that leave would wake half a million.
      } finally {
        lock.unlock();
      }
    }
  }
}
