package io.cordwood.agent.follow;

import io.cordwood.cli.program.Failures;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Forwarder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows files: in rounds, each of which reads a batch or more of the files that have something,
 * plans them all in the checkpoint, forces that once, and sends them. So nothing is on its way that
 * could not be made again, with the same ULIDs, after a crash. A batch that is refused is made
 * again in the same way.
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

  private static final int MOST_OPEN = 500;

  /** Batches of files that are gone, of up to half a MiB, usually. */
  private static final int MOST_KEPT = 64;

  private final FollowOptions options;
  private final Forwarder forwarder;
  private final FollowLog log;
  private final FollowCounters counters = new FollowCounters();
  private final Checkpoint checkpoint;
  private final FileFinder finder;
  private final BatchArrays arrays = new BatchArrays();
  private final SentBatches sent = new SentBatches();
  private final RefusedOrigins refused = new RefusedOrigins(System::nanoTime);
  private final SpareMemory memory = new SpareMemory();

  /** Refused, of files that are gone, so that they cannot be made again. */
  private final List<FollowedFile.Made> kept = new ArrayList<>();

  private final long joinNanos;
  private final Thread thread = Thread.currentThread();

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
    this.joinNanos = options.reading().joinWithin().toNanos();
    var parts = new BatchParts(counters, forwarder.clock(), sent, this::wake);
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

  /** The cursor of a journal that the checkpoint has; empty if it has none. */
  public String cursor() {
    return checkpoint.cursor();
  }

  /** Has the checkpoint keep the cursor that this gives, within a second and at the end. */
  public void keepCursor(Supplier<String> latest) {
    checkpoint.keepCursor(latest);
  }

  public FollowCounters counters() {
    return counters;
  }

  /** For any thread. */
  private void wake() {
    LockSupport.unpark(thread);
  }

  /** Has {@link #run} read no more. */
  public void stop() {
    stopped = true;
    wake();
  }

  /**
   * Runs until it is stopped, or, if it is to run once, all is read, and acknowledged or of origins
   * that every target refuses.
   *
   * @return whether nothing is on its way
   */
  public boolean run() {
    boolean over = false;
    while (!stopped && !over) {
      takeEnded();
      tryRefused();
      searchIfDue();
      boolean waits = !forwarder.knowsTime();
      boolean moved = round();
      saveIfDue();
      giveBackIfDue();
      if (!moved) {
        boolean isDone = finder.hasSearched() && sent.isEmpty();
        boolean isHopeless = refused.wereAllRefused(forwarder.targets());
        over = options.once() && !waits && isDone && isHopeless;
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
    takeEnded();
    while (!sent.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
      takeEnded();
    }
    try {
      checkpoint.save();
    } catch (IOException e) {
      log.say(Failures.explain(e)); // what is not kept is sent again, and is there once
    }
    return sent.isEmpty();
  }

  private void takeEnded() {
    for (SentBatches.Ended ended = sent.next(); ended != null; ended = sent.next()) {
      if (ended.acknowledged()) {
        arrived(ended.made());
      } else {
        refused(ended.made());
      }
    }
    counters.heldBytes = sent.bytes();
    counters.topicsRefused = refused.count();
  }

  private void arrived(FollowedFile.Made made) {
    checkpoint.arrive(made.file().state, made.plan().to());
    made.batches().forEach(batch -> refused.taken(batch.origin()));
    counters.recordsAcknowledged.add(made.plan().records());
    counters.bytesAcknowledged.add(made.plan().length());
    made.giveBack(arrays);
  }

  private void refused(FollowedFile.Made made) {
    Set<Origin> origins = made.delivery().refused();
    origins.forEach(refused::refused);
    if (!made.file().isDetached()) {
      made.file().takeBack(made.plan());
      made.giveBack(arrays);
    } else if (origins.isEmpty()) {
      arrived(made); // only one before it was refused
    } else {
      keep(made);
    }
  }

  private void keep(FollowedFile.Made made) {
    if (kept.size() < MOST_KEPT) {
      kept.add(made);
      return;
    }
    counters.bytesLost.add(made.plan().length());
    log.say(
        made.file().state.path
            + " is gone, its topic or labels are refused, and "
            + MOST_KEPT
            + " such batches are kept already: "
            + made.plan().records()
            + " records are lost");
  }

  private void tryRefused() {
    Origin origin = refused.next(each -> !sent.hasAnyOf(each));
    if (origin == null) {
      return;
    }
    forwarder.admit(origin);
    List<FollowedFile.Made> again = kept.stream().filter(made -> made.has(origin)).toList();
    kept.removeAll(again);
    again.forEach(this::send);
  }

  /** Files are searched each second, and no more than a tenth of the time. */
  private void searchIfDue() {
    long began = System.nanoTime();
    if (began < searchNanos) {
      return;
    }
    finder.search();
    opened = finder.closeIdle(MOST_OPEN);
    counters.openFiles = opened;
    if (!hasRoom(0) || !refused.areNone()) {
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

  private void giveBackIfDue() {
    if (sent.isEmpty() && memory.isDue(counters.bytes.sum())) {
      arrays.forget();
      checkpoint.trim();
      System.gc();
      memory.givenBack();
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
          log.say("checkpoint: " + Failures.explain(e) + "; nothing is sent until it can be kept");
        }
        said = "said";
        LockSupport.parkNanos(SEARCH_NANOS);
      }
    }
    return false;
  }

  private boolean round() {
    List<FollowedFile.Made> made = new ArrayList<>();
    Map<FollowedFile, Origin> origins = new HashMap<>();
    int bytes = 0;
    boolean more = true;
    List<FollowedFile> ready = ready();
    while (more && !stopped) {
      more = false;
      for (FollowedFile file : ready) {
        boolean follows = file.origin().equals(origins.computeIfAbsent(file, FollowedFile::origin));
        FollowedFile.Made next = hasRoom(bytes) && follows ? next(file) : null;
        if (next != null) {
          if (!next.isAgain()) {
            next.planIn(checkpoint);
          }
          bytes += Math.toIntExact(next.bytes());
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
        && sent.bytes() + bytesOfRound + BatchArrays.LONGEST_BYTES < options.mostHeldBytes();
  }

  private void send(FollowedFile.Made made) {
    if (made.plan().records() == 0) {
      made.giveBack(arrays);
      return;
    }
    sent.add(made);
    made.batches().forEach(forwarder::send);
  }

  /** Those that may have something, those first that have lost their names, the others in turn. */
  private List<FollowedFile> ready() {
    List<FollowedFile> ready = new ArrayList<>();
    long now = System.nanoTime();
    long behind = 0;
    for (FollowedFile file : List.copyOf(finder.followed())) {
      try {
        if (file.hasMore(now, joinNanos) && sent.mayFollow(file) && !refused.waits(file)) {
          ready.add(file);
        }
        behind += file.isAway() ? 0 : file.behind();
      } catch (FollowedFile.ReplacedException e) {
        finder.replaced(file);
      } catch (IOException e) {
        finder.failed(file, e);
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
      if (!finder.isFollowed(file) || !file.hasMore(System.nanoTime(), joinNanos)) {
        return null;
      }
      boolean wasOpen = file.isOpen();
      if (!file.repeatsPlans() && file.learnsHead()) {
        finder.learned(file); // in the checkpoint together with what is planned of it
      }
      FollowedFile.Made made = file.next(arrays, joinNanos);
      finder.tellIfPacked(file);
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
      finder.failed(file, e);
    }
    return null;
  }

  /**
   * Opens files that cannot be read yet, since too much is held or they are refused, so that they
   * stay readable when deleted.
   */
  private void openUnread() {
    for (FollowedFile file : List.copyOf(finder.followed())) {
      if (opened < MOST_OPEN && !file.isOpen() && file.hasName() && !file.isRead()) {
        try {
          file.open();
          opened++;
        } catch (FollowedFile.ReplacedException e) {
          finder.replaced(file);
        } catch (IOException e) {
          finder.failed(file, e);
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
