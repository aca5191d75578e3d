package io.cordwood.common.deletion;

import io.cordwood.common.deletion.RefusedTombstoneException.Reason;
import io.cordwood.common.file.Filesystem;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The tombstones of a node, in its data folder. What is known is on the disk, forced. Safe for many
 * threads; adding waits for the disk.
 */
public final class Deletions {
  private final Disk disk;
  private final Map<Reason, Counter> refused;
  private final Object lock = new Object();
  private final List<Runnable> whenChanged = new CopyOnWriteArrayList<>();
  private volatile Tombstones known;
  private volatile boolean lost;

  /** In a data folder, and in a backup of one. */
  public static final String FILE = "deletions";

  /** Keeps all that is known. */
  @FunctionalInterface
  private interface Disk {
    void write(Tombstones set, boolean lost) throws IOException;
  }

  private Deletions(Disk disk, TombstoneText.Read read, MeterRegistry meters) {
    this.disk = disk;
    this.known = read.known();
    this.lost = read.lost();
    this.refused = refused(meters);
    Gauge.builder("cordwood.deletions", () -> known.size()).register(meters);
  }

  private static Map<Reason, Counter> refused(MeterRegistry meters) {
    var counters = new EnumMap<Reason, Counter>(Reason.class);
    for (Reason reason : Reason.values()) {
      counters.put(
          reason,
          Counter.builder("cordwood.deletions.refused")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
    return counters;
  }

  /**
   * Reads what is known.
   *
   * @param data folder of the node
   * @throws IOException if what is there cannot be read, and might be whole
   */
  public static Deletions open(Path data, Filesystem disk, MeterRegistry meters)
      throws IOException {
    var file = new TombstoneFile(data.resolve(FILE), disk);
    return new Deletions(file::write, file.read(), meters);
  }

  /** Those of somebody who knows none, and learns none. */
  public static Deletions none() {
    var read = new TombstoneText.Read(Tombstones.NONE, false, Optional.empty());
    Disk none =
        (_, _) -> {
          throw new IOException("expected a node that keeps deletions, found none");
        };
    return new Deletions(none, read, new SimpleMeterRegistry());
  }

  /**
   * Runs something whenever others are known than before.
   *
   * @param task must not wait for anything; run by whoever adds
   */
  public void whenChanged(Runnable task) {
    whenChanged.add(task);
  }

  /** All that are known now. */
  public Tombstones known() {
    return known;
  }

  /** Whether this node may have known others that it does not know any more. */
  public boolean areLost() {
    return lost;
  }

  /**
   * Adds one that is asked for. When this returns, it is on the disk.
   *
   * @throws RefusedTombstoneException if there are too many; that is counted
   * @throws IOException if it is not on the disk
   */
  public void ask(Tombstone tombstone) throws IOException {
    change(() -> known.plus(tombstone), false);
  }

  /**
   * Adds what another node knows. When this returns, it is on the disk.
   *
   * @throws RefusedTombstoneException if there are far too many, or two that differ have one id;
   *     that is counted
   * @throws IOException if it is not on the disk
   */
  public void learn(Collection<Tombstone> others) throws IOException {
    change(() -> known.plus(others), false);
  }

  /**
   * Adds all that another node knows, as its text says.
   *
   * @throws RefusedTombstoneException as {@link #learn(Collection)}
   * @throws IOException if the text is not as it was written, or it is not on the disk
   */
  public void learn(String text) throws IOException {
    TombstoneText.Read read = TombstoneText.read(text);
    if (read.damage().isPresent()) {
      throw new IOException("expected a set of deletions: " + read.damage().get());
    }
    change(() -> known.plus(read.known().all()), !read.lost());
  }

  /** All that is known, for {@link #learn(String)} of another node. */
  public String text() {
    synchronized (lock) {
      return TombstoneText.write(known, lost);
    }
  }

  private interface Change {
    Tombstones make() throws RefusedTombstoneException;
  }

  private void change(Change change, boolean isWhole) throws IOException {
    synchronized (lock) {
      Tombstones changed = counted(change);
      boolean isLost = lost && !isWhole;
      if (changed.size() > known.size() || isLost != lost) {
        disk.write(changed, isLost);
        known = changed;
        lost = isLost;
      } else {
        return;
      }
    }
    whenChanged.forEach(Runnable::run);
  }

  private Tombstones counted(Change change) throws RefusedTombstoneException {
    try {
      return change.make();
    } catch (RefusedTombstoneException e) {
      Objects.requireNonNull(refused.get(e.reason())).increment();
      throw e;
    }
  }
}
