package io.cordwood.dist.follow;

import io.cordwood.dist.program.Programs;
import io.cordwood.forwarder.Forwarder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Follows files: in rounds, each of which reads a batch or more of the files that have something,
 * plans them all in the checkpoint, forces that once, and sends them. So nothing is on its way that
 * could not be made again, with the same ULIDs, after a crash. Batches are acknowledged in the
 * order in which they were sent.
 *
 * <p>What is read and not acknowledged is bounded; while it is at its bound, files are still
 * searched and kept open, so that none is missed while no node can be reached. All of it runs on
 * the thread of {@link #run}; the files that it reads would be closed by an interrupt.
 */
public final class Follower implements AutoCloseable {
  /** The bytes of one round, which costs one force of the checkpoint. */
  private static final int ROUND_BYTES = 4 << 20;

  private static final long SEARCH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** An open file is looked at ten times a second; one that is not, once. */
  private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_OPEN = 500;

  private final FollowOptions options;
  private final Forwarder forwarder;
  private final FollowLog log;
  private final FollowCounters counters = new FollowCounters();
  private final Checkpoint checkpoint;
  private final FileFinder finder;
  private final BatchArrays arrays = new BatchArrays();
  private final ArrayDeque<FollowedFile.Made> sent = new ArrayDeque<>();
  private final AtomicLong acknowledgedBatches = new AtomicLong();
  private final long joinNanos;
  private final Thread thread = Thread.currentThread();

  private long takenBatches;
  private long heldBytes;
  private long searchNanos = System.nanoTime();
  private long saveNanos = System.nanoTime();
  private int turn;
  private int opened;
  private volatile boolean stopped;

  private Follower(
      FollowOptions options, Forwarder forwarder, FollowLog log, Checkpoint checkpoint) {
    this.options = options;
    this.forwarder = forwarder;
    this.log = log;
    this.checkpoint = checkpoint;
    this.joinNanos = options.joinWithin().toNanos();
    var parts = new FileBatches.Parts(counters, forwarder.clock(), this::acknowledged);
    this.finder = new FileFinder(options, checkpoint, log, parts);
  }

  /**
   * Opens the checkpoint; the thread that does is the one that runs.
   *
   * @throws IOException when the checkpoint cannot be read or written
   * @throws IllegalArgumentException when a pattern is none
   */
  public static Follower open(FollowOptions options, Forwarder forwarder, FollowLog log)
      throws IOException {
    Checkpoint checkpoint = Checkpoint.open(options.checkpoint(), log::say);
    try {
      return new Follower(options, forwarder, log, checkpoint);
    } catch (IllegalArgumentException e) {
      checkpoint.close();
      throw e;
    }
  }

  public FollowCounters counters() {
    return counters;
  }

  /** On the forwarder's thread. */
  private void acknowledged() {
    acknowledgedBatches.incrementAndGet();
    LockSupport.unpark(thread);
  }

  /** Has {@link #run} read no more. */
  public void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  /**
   * Runs until it is stopped, or, if it is to run once, all is read and acknowledged.
   *
   * @return whether nothing is on its way
   */
  public boolean run() {
    boolean over = false;
    while (!stopped && !over) {
      takeAcknowledged();
      searchIfDue();
      boolean waits = !forwarder.knowsTime();
      boolean moved = round();
      saveIfDue();
      if (!moved) {
        boolean isDone = finder.hasSearched() && sent.isEmpty();
        over = options.once() && !waits && isDone && acknowledgedBatches.get() == takenBatches;
        if (!over) {
          LockSupport.parkNanos(waits ? START_NANOS : LOOK_NANOS);
        }
      }
    }
    return sent.isEmpty();
  }

  /** Waits for what is on its way, and keeps what has arrived. True when all has. */
  public boolean drain(Duration longest) {
    long deadline = System.nanoTime() + longest.toNanos();
    takeAcknowledged();
    while (!sent.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
      takeAcknowledged();
    }
    try {
      checkpoint.save();
    } catch (IOException e) {
      log.say(Programs.explain(e)); // what is not kept is sent again, and is there once
    }
    return sent.isEmpty();
  }

  private void takeAcknowledged() {
    while (takenBatches < acknowledgedBatches.get()) {
      takenBatches++;
      FollowedFile.Made made = sent.remove();
      checkpoint.arrive(made.file().state, made.plan().to());
      counters.recordsAcknowledged.add(made.plan().records());
      counters.bytesAcknowledged.add(made.plan().length());
      heldBytes -= made.batch().bytes().length;
      arrays.giveBack(made.batch().bytes());
    }
    counters.heldBytes = heldBytes;
  }

  /** Files are searched each second, and no more than a tenth of the time. */
  private void searchIfDue() {
    long began = System.nanoTime();
    if (began < searchNanos) {
      return;
    }
    finder.search();
    closeIdle();
    if (!hasRoom(0)) {
      openUnread();
    }
    long took = System.nanoTime() - began;
    searchNanos = began + Math.max(SEARCH_NANOS, 10 * took);
  }

  private void saveIfDue() {
    if (System.nanoTime() >= saveNanos && checkpoint.hasUnsaved()) {
      save();
    }
  }

  /** A checkpoint that cannot be written holds everything up, until it can or the end. */
  private boolean save() {
    String said = null;
    while (!stopped || said == null) {
      try {
        checkpoint.save();
        saveNanos = System.nanoTime() + SAVE_NANOS;
        return true;
      } catch (IOException e) {
        if (said == null) {
          counters.errors.increment();
          log.say("checkpoint: " + Programs.explain(e) + "; nothing is sent until it can be kept");
        }
        said = "said";
        LockSupport.parkNanos(SEARCH_NANOS);
      }
    }
    return false;
  }

  private boolean round() {
    List<FollowedFile.Made> made = new ArrayList<>();
    int bytes = 0;
    boolean more = true;
    List<FollowedFile> ready = ready();
    while (more && !stopped) {
      more = false;
      for (FollowedFile file : ready) {
        FollowedFile.Made next = hasRoom(bytes) ? next(file) : null;
        if (next != null) {
          if (!next.isAgain()) {
            checkpoint.plan(file.state, next.plan());
          }
          bytes += next.batch().bytes().length;
          made.add(next);
          more = true;
        }
      }
    }
    if (made.isEmpty() || !save()) {
      return false;
    }
    made.forEach(this::send);
    return true;
  }

  /** There is none before the time is known: what is planned has a stamp for good. */
  private boolean hasRoom(int bytesOfRound) {
    return forwarder.knowsTime()
        && bytesOfRound < ROUND_BYTES
        && heldBytes + bytesOfRound + BatchArrays.LONGEST_BYTES < options.mostHeldBytes();
  }

  private void send(FollowedFile.Made made) {
    if (made.plan().records() == 0) {
      arrays.giveBack(made.batch().bytes());
      return;
    }
    sent.add(made);
    heldBytes += made.batch().bytes().length;
    forwarder.send(made.batch());
  }

  /** Those that may have something, those first that have lost their names, the others in turn. */
  private List<FollowedFile> ready() {
    List<FollowedFile> ready = new ArrayList<>();
    long now = System.nanoTime();
    long behind = 0;
    for (FollowedFile file : List.copyOf(finder.followed())) {
      try {
        if (file.hasMore(now, joinNanos)) {
          ready.add(file);
        }
        behind += file.unread();
      } catch (FollowedFile.ReplacedException e) {
        finder.replaced(file);
      } catch (IOException e) {
        finder.failed(file.place(), e);
      }
    }
    counters.behindBytes = behind;
    if (!ready.isEmpty()) {
      java.util.Collections.rotate(ready, -(turn++ % ready.size()));
      ready.sort(Comparator.comparing(FollowedFile::isLive));
    }
    return ready;
  }

  private FollowedFile.@Nullable Made next(FollowedFile file) {
    try {
      if (!file.hasMore(System.nanoTime(), joinNanos)) {
        return null;
      }
      boolean wasOpen = file.isOpen();
      if (!file.repeatsPlans() && file.learnsHead()) {
        finder.learned(file); // in the checkpoint together with what is planned of it
      }
      FollowedFile.Made made = file.next(arrays, joinNanos);
      opened += wasOpen ? 0 : 1;
      if (opened > MOST_OPEN && file.hasName()) {
        file.close();
        opened--;
      }
      return made;
    } catch (FollowedFile.ReplacedException e) {
      finder.replaced(file);
    } catch (FollowedFile.ChangedException e) {
      log.say(String.valueOf(e.getMessage()));
      file.giveUpPlans();
      checkpoint.giveUpPlans(file.state, e.from);
    } catch (IOException e) {
      finder.failed(file.place(), e);
    }
    return null;
  }

  /** A bound on open files: those are closed that are read and were not written to for long. */
  private void closeIdle() {
    List<FollowedFile> open =
        new ArrayList<>(finder.followed().stream().filter(FollowedFile::isOpen).toList());
    long now = System.nanoTime();
    open.sort(Comparator.comparingLong(file -> -file.quietNanos(now)));
    int left = open.size();
    for (FollowedFile file : open) {
      boolean isIdle = file.unread() == 0 && file.quietNanos(now) > OPEN_NANOS;
      if (file.hasName() && (isIdle || left > MOST_OPEN)) {
        try {
          file.close();
        } catch (IOException e) {
          finder.failed(file.place(), e);
        }
        left--;
      }
    }
    opened = left;
    counters.openFiles = left;
  }

  /**
   * Opens files that cannot be read yet, since too much is held, so that they stay readable when
   * deleted.
   */
  private void openUnread() {
    for (FollowedFile file : List.copyOf(finder.followed())) {
      if (opened < MOST_OPEN && !file.isOpen() && file.unread() > 0) {
        try {
          file.open();
          opened++;
        } catch (FollowedFile.ReplacedException e) {
          finder.replaced(file);
        } catch (IOException e) {
          finder.failed(file.place(), e);
        }
      }
    }
  }

  /** Closes files and checkpoint; {@link #drain} is for what should be kept before. */
  @Override
  public void close() throws IOException {
    for (FollowedFile file : finder.followed()) {
      file.close();
    }
    checkpoint.close();
  }
}
