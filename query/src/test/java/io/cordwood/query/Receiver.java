package io.cordwood.query;

import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.ArrivedBlocks;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.CorruptException;
import io.cordwood.common.segment.Delimiter;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.ulid.UlidStamper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What an ingest node has received, as a test says. */
public final class Receiver implements SegmentSource, ArrivalSource {
  private static final UlidStamper STAMPER = new UlidStamper(InstantSource.system());

  private final List<Batch> batches = new ArrayList<>();
  private final List<Block> arrived = new ArrayList<>();
  private long lost;
  private int followers;
  private boolean dead;

  public static synchronized Ulid stamp(int records) {
    synchronized (STAMPER) {
      return STAMPER.stamp(records);
    }
  }

  public static Batch batch(Ulid first, Topic topic, String... lines) {
    byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return new Batch(topic, Delimiter.LF, first, lines.length, ByteBuffer.wrap(bytes));
  }

  public void receive(String... lines) {
    receive(batch(stamp(lines.length), Topic.DEFAULT, lines));
  }

  public synchronized void receive(Batch batch) {
    batches.add(batch);
    try {
      int _ = ArrivedBlocks.read(batch.encode(), 0, arrived::add);
    } catch (CorruptException e) {
      throw new AssertionError(e);
    }
    notifyAll();
  }

  /** Says to those who follow that they missed so many. */
  public synchronized void lose(long records) {
    lost = records;
    notifyAll();
  }

  /** Nobody can follow any more, or again. */
  public synchronized void dead(boolean now) {
    dead = now;
    notifyAll();
  }

  public synchronized int followers() {
    return followers;
  }

  @Override
  public synchronized View view(UlidRange range) throws IOException {
    return new SegmentFixture(1, 1, List.copyOf(batches)).view(range);
  }

  @Override
  public Optional<ArrivalSource> arrivals() {
    return Optional.of(this);
  }

  @Override
  public synchronized Follower follow() throws IOException {
    if (dead) {
      throw new IOException("this node is dead");
    }
    followers++;
    return new One(arrived.size());
  }

  private final class One implements Follower {
    private int next;

    One(int next) {
      this.next = next;
    }

    @Override
    public Arrived await(Duration longest) throws IOException, InterruptedException {
      synchronized (Receiver.this) {
        long end = System.nanoTime() + longest.toNanos();
        long left = longest.toMillis();
        while (next == arrived.size() && !dead && left > 0) {
          Receiver.this.wait(left);
          left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        if (dead) {
          throw new IOException("this node is dead");
        }
        List<Block> blocks = List.copyOf(arrived.subList(next, arrived.size()));
        next = arrived.size();
        long missed = blocks.isEmpty() ? 0 : lost;
        lost = blocks.isEmpty() ? lost : 0;
        return new Arrived(blocks, missed);
      }
    }

    @Override
    public void close() {
      synchronized (Receiver.this) {
        followers--;
      }
    }
  }
}
