package io.cordwood.cli.alert;

import io.cordwood.cli.alert.RuleState.Kept;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Watches rules: counts each window when it is due, decides, sends, and keeps the state. Each rule
 * has a thread of its own while it is counted, and each of its targets one while it is sent to.
 */
public final class Watch implements Closeable {
  /** The most rules of a watch. */
  public static final int MAX_RULES = 1000;

  /** The most questions at the same time: a node has others to answer, too. */
  private static final int MAX_ASKED = 4;

  /** The most bytes that all alerts may take in memory, by estimate. */
  static final int MAX_ALERT_BYTES = 16 << 20;

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** Why a window is left out, as a suffix of how many. */
  private static final String SKIPPED =
      " windows are skipped: this was stopped, the clock was set, or counting takes longer than"
          + " --every";

  private final WatchSetting setting;
  private final List<Watched> rules = new ArrayList<>();
  private final WatchCounters counters;
  private final Semaphore room = new Semaphore(MAX_ALERT_BYTES);
  private final Semaphore asked = new Semaphore(MAX_ASKED, true);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final @Nullable StateFile file;
  private boolean fileFails;
  private boolean fileClosed;

  /**
   * A rule, how its records are counted, and whom its alerts are sent to.
   *
   * @param targets one of each kind at most
   */
  public record Entry(Rule rule, Counts counts, List<Target> targets) {}

  private static final class Watched {
    private final Entry entry;
    private final RuleState state;
    private final Schedule schedule;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private boolean skips;

    Watched(Entry entry, RuleState state) {
      this.entry = entry;
      this.state = state;
      this.schedule = new Schedule(entry.rule.timing(), state.last());
    }

    RuleStatus status() {
      Map<String, String> failing = new TreeMap<>();
      for (Delivery each : deliveries) {
        if (!each.trouble().isEmpty()) {
          failing.put(each.name(), each.trouble());
        }
      }
      return state.status(failing);
    }
  }

  private Watch(WatchSetting setting, WatchCounters counters, @Nullable StateFile file) {
    this.setting = setting;
    this.counters = counters;
    this.file = file;
  }

  /**
   * Gets ready, with the state that a file has kept; nothing is counted yet.
   *
   * @throws IOException if the file cannot be used
   */
  public static Watch open(
      List<Entry> entries, Optional<Path> stateFile, WatchCounters counters, WatchSetting setting)
      throws IOException {
    StateFile file = stateFile.isPresent() ? StateFile.open(stateFile.get()) : null;
    var watch = new Watch(setting, counters, file);
    try {
      Map<String, Kept> kept = file == null ? Map.of() : file.read(setting::warn);
      entries.forEach(
          entry -> watch.add(entry, kept.getOrDefault(entry.rule.name(), Kept.NOTHING)));
      watch.sayWhatIsGone(kept.keySet());
      if (file != null) {
        file.write(watch.rules.stream().map(rule -> rule.state).toList());
      }
      return watch;
    } catch (IOException | RuntimeException e) {
      watch.close();
      throw e;
    }
  }

  private void add(Entry entry, Kept kept) {
    var state = new RuleState(entry.rule, entry.targets, kept, room, counters);
    var watched = new Watched(entry, state);
    for (Target target : entry.targets) {
      watched.deliveries.add(new Delivery(state, target, counters, stopped, setting));
    }
    rules.add(watched);
  }

  private void sayWhatIsGone(Set<String> kept) {
    List<String> names = rules.stream().map(each -> each.entry.rule.name()).toList();
    kept.stream()
        .filter(name -> !names.contains(name))
        .forEach(name -> setting.say(name + ": the rule is gone, and its state with it"));
  }

  /** Watches until {@link #close}. */
  public void run() throws InterruptedException {
    do {
      step();
    } while (!stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Begins to count what is due, sends what is owed, and keeps what has changed. */
  public void step() {
    for (Watched rule : rules) {
      if (rule.busy.compareAndSet(false, true)) {
        Schedule.Due due = rule.schedule.take(setting.clock().instant());
        noteSkipped(rule, due);
        if (due.ends().isEmpty()) {
          rule.busy.set(false);
        } else {
          Thread.ofVirtual().name("count").start(() -> count(rule, due));
        }
      }
      rule.deliveries.forEach(Delivery::wake);
    }
    save();
  }

  /** Says it once until a window is on time. */
  private void noteSkipped(Watched rule, Schedule.Due due) {
    counters.skipped.add(due.skipped());
    if (due.skipped() > 0 && !rule.skips) {
      setting.warn(rule.entry.rule.name() + ": " + due.skipped() + SKIPPED);
    }
    rule.skips = due.ends().isEmpty() ? rule.skips : due.skipped() > 0;
  }

  private void count(Watched rule, Schedule.Due due) {
    try {
      for (var end : due.ends()) {
        if (stopped.getCount() > 0) {
          Counted counted = count(rule.entry, end);
          counters.windows.increment();
          rule.state
              .take(end, counted)
              .forEach(line -> setting.say(rule.entry.rule.name() + ": " + line));
          rule.deliveries.forEach(Delivery::wake);
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it but who ends this process.
    } finally {
      rule.busy.set(false);
    }
  }

  private Counted count(Entry entry, Instant end) throws InterruptedException {
    asked.acquire();
    try {
      return entry.counts.count(end.minus(entry.rule.timing().window()), end);
    } catch (RuntimeException e) {
      return Counted.failed("a defect: " + e);
    } finally {
      asked.release();
    }
  }

  /**
   * Counts what is due, sends what is owed, and waits for both.
   *
   * @param patience longest wait
   * @return whether all has been sent
   */
  public boolean once(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    step();
    while (!isIdle() && System.nanoTime() - end < 0) {
      boolean _ = stopped.await(10, TimeUnit.MILLISECONDS);
    }
    return isIdle();
  }

  private boolean isIdle() {
    return rules.stream()
        .allMatch(rule -> !rule.busy.get() && rule.deliveries.stream().allMatch(Delivery::isIdle));
  }

  /** How all rules stand, in their order. */
  public List<RuleStatus> status() {
    return rules.stream().map(Watched::status).toList();
  }

  /** Whether an alert fires. */
  public boolean isFiring() {
    return rules.stream().anyMatch(rule -> rule.state.isFiring());
  }

  /** Whether a rule cannot be decided. */
  public boolean isUndecided() {
    return rules.stream().anyMatch(rule -> rule.state.isUndecided());
  }

  private synchronized void save() {
    if (file == null || fileClosed) {
      return;
    }
    List<RuleState> states = rules.stream().map(rule -> rule.state).toList();
    long changed = states.stream().filter(RuleState::takeChanged).count();
    if (changed == 0 && !fileFails) {
      return;
    }
    try {
      file.write(states);
      if (fileFails) {
        setting.say("--state: works again");
      }
      fileFails = false;
    } catch (IOException e) {
      counters.stateFailures.increment();
      if (!fileFails) {
        setting.warn("--state: cannot be kept, trying again: " + e.getMessage());
      }
      fileFails = true;
    }
  }

  private synchronized void closeFile() throws IOException {
    save();
    if (file != null) {
      file.close();
    }
    fileClosed = true;
  }

  /**
   * Stops, and keeps the state; what is not sent yet is sent after the next start. What is just
   * being sent has two seconds to arrive.
   */
  @Override
  public void close() throws IOException {
    stopped.countDown();
    long end = System.nanoTime() + GRACE.toNanos();
    rules.stream()
        .flatMap(rule -> rule.deliveries.stream())
        .forEach(each -> each.close(Duration.ofNanos(end - System.nanoTime())));
    closeFile();
  }
}
