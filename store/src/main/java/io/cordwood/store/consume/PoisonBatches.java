package io.cordwood.store.consume;

import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds the batches that no store segment can be written with, by writing halves: a batch is one of
 * them if a segment of it alone fails twice, while one of another batch does not: of one beside it,
 * or if there is none, of one that is made for this. One thread.
 */
final class PoisonBatches {
  /** With more of them, it is rather the disk or the program that is ill. */
  private static final int MOST = 16;

  private final int[] entries;
  private final Trial trial;
  private final Control control;
  private final BitSet guilty = new BitSet();
  private boolean worked;

  /** Writes a segment and throws it away. */
  @FunctionalInterface
  interface Trial {
    /**
     * Tries these entries.
     *
     * @throws CorruptException or a RuntimeException if what was written is no segment
     * @throws IOException if the disk fails, which says nothing of the batches
     */
    void write(int[] entries) throws IOException;
  }

  /** Writes a segment of a batch that is good, and throws it away. */
  @FunctionalInterface
  interface Control {
    /**
     * Tries it.
     *
     * @throws CorruptException or a RuntimeException if what was written is no segment
     */
    void write() throws IOException;
  }

  /**
   * @param entries of a gather's index, of which a segment could not be written
   */
  PoisonBatches(int[] entries, Trial trial, Control control) {
    this.entries = entries;
    this.trial = trial;
    this.control = control;
  }

  /**
   * The guilty ones; empty if no batch is guilty alone, there are too many, or nothing at all can
   * be written.
   */
  int[] find() throws IOException {
    search(0, entries.length);
    boolean found = guilty.cardinality() <= MOST && (worked || anotherWorks()) && failAgain();
    return found ? guilty.stream().map(at -> entries[at]).toArray() : new int[0];
  }

  private boolean anotherWorks() throws IOException {
    try {
      control.write();
      return true;
    } catch (CorruptException | RuntimeException e) {
      return false;
    }
  }

  /** A disk that spoiled what was written for a while only must make nobody guilty. */
  private boolean failAgain() throws IOException {
    for (int at : guilty.stream().toArray()) {
      if (canBeWritten(at, at + 1)) {
        return false;
      }
    }
    return true;
  }

  /** Looks through a part that cannot be written. */
  private void search(int from, int to) throws IOException {
    if (guilty.cardinality() > MOST) {
      return;
    }
    if (to - from == 1) {
      guilty.set(from);
      return;
    }
    int middle = (from + to) >>> 1;
    if (!canBeWritten(from, middle)) {
      search(from, middle);
    }
    if (!canBeWritten(middle, to)) {
      search(middle, to);
    }
  }

  private boolean canBeWritten(int from, int to) throws IOException {
    try {
      trial.write(Arrays.copyOfRange(entries, from, to));
      worked = true;
      return true;
    } catch (CorruptException | RuntimeException e) {
      return false;
    }
  }
}
