package io.cordwood.ingest.mode;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A disk that can be told to take its time over a force, for tests. */
final class HeldForces {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Call held = Call.FORCE;
  private boolean holding;
  private int waiting;

  Filesystem filesystem() {
    return new FaultyFilesystem((call, _) -> holdUp(call));
  }

  /** Never fails a call, only makes it wait. */
  private boolean holdUp(Call call) {
    lock.lock();
    try {
      while (holding && call == held) {
        waiting++;
        changed.awaitUninterruptibly();
        waiting--;
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Lets no force of a file return. */
  void hold() {
    hold(Call.FORCE);
  }

  void hold(Call call) {
    lock.lock();
    try {
      held = call;
      holding = true;
    } finally {
      lock.unlock();
    }
  }

  void letGo() {
    lock.lock();
    try {
      holding = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Calls that wait. */
  int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }
}
