package io.cordwood.common.file;

import io.cordwood.common.file.FaultyFilesystem.Call;
import java.util.function.BiPredicate;

/**
 * A plan by which the nth change of a disk fails, and either every one after it too, as if the
 * process had died there, or none. Opening a file to read it is no change.
 */
public final class FaultAt implements BiPredicate<Call, Long> {
  private long failAt = Long.MAX_VALUE;
  private boolean forGood;
  private long changes;

  /** Counts from now on; the change with that number fails, from 0. */
  public synchronized void failAt(long change, boolean andAllAfter) {
    changes = 0;
    failAt = change;
    forGood = andAllAfter;
  }

  public synchronized boolean hasFailed() {
    return changes > failAt;
  }

  @Override
  public synchronized boolean test(Call call, Long number) {
    if (call == Call.OPEN) {
      return false;
    }
    long change = changes++;
    return change == failAt || (forGood && change > failAt);
  }
}
