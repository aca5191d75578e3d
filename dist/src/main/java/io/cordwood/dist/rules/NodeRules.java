package io.cordwood.dist.rules;

import io.cordwood.cli.alert.RuleStatus;
import io.cordwood.cli.alert.Watch;
import io.cordwood.cli.alert.WatchCounters;
import io.cordwood.cli.alert.WatchSetting;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.watch.RulesFile;
import io.cordwood.cli.watch.WatchContext;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.file.WatchedFiles;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.JsonClient;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.query.api.OwnQuestions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of a file, watched by the node that has it. The file is read again when it changes; one
 * that has an error changes nothing. What fires is kept over both. Safe for all threads.
 */
public final class NodeRules implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRules.class);
  private static final RateLimitedLog TROUBLE = new RateLimitedLog(LOG);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final Setting setting;
  private final JsonClient client = new JsonClient();
  private final WatchCounters counters = new WatchCounters();
  private final Counter reloadFailures;
  private final WatchedFiles watched;
  private final PeriodicTask task;
  private volatile @Nullable Watch watch;
  private volatile List<RuleStatus> last = List.of();
  private volatile String trouble = "";
  private volatile boolean closed;

  /**
   * The surroundings of a node's rules.
   *
   * @param file of the rules
   * @param state the file that keeps what fires
   * @param questions how the node is asked
   * @param page the address of its page
   */
  public record Setting(
      Path file,
      Path state,
      OwnQuestions questions,
      String page,
      AuditLog audit,
      InstantSource clock) {}

  private NodeRules(Setting setting, MeterRegistry registry) throws IOException {
    this.setting = setting;
    this.watched = new WatchedFiles(setting.file);
    this.reloadFailures = registry.counter("cordwood_rules_reload_failures_total");
    open(read());
    register(registry);
    this.task = PeriodicTask.start("rules", LOOK, registry, this::step);
  }

  /**
   * Begins to watch.
   *
   * @throws CommandException if the file has an error
   * @throws IOException if the state cannot be kept
   */
  public static NodeRules start(Setting setting, MeterRegistry registry) throws IOException {
    return new NodeRules(setting, registry);
  }

  /**
   * Checks a file of rules.
   *
   * @throws CommandException if it has an error
   */
  public static void check(Path file) {
    try (var client = new JsonClient()) {
      var around = WatchContext.of(NodeRules::nobody, "/", client, InstantSource.system());
      var _ = RulesFile.read(file, around);
    }
  }

  private static CliClient.Answer nobody(
      String path, String query, Duration limit, Consumer<String> says) throws IOException {
    throw new IOException("nobody is asked");
  }

  private List<Watch.Entry> read() {
    var own = new OwnCounts(setting.questions, () -> closed);
    return RulesFile.read(setting.file, WatchContext.of(own, setting.page, client, setting.clock));
  }

  private List<Watch.Entry> readAgain() throws IOException {
    try {
      return read();
    } catch (CommandException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void open(List<Watch.Entry> rules) throws IOException {
    var around =
        new WatchSetting(
            setting.clock,
            line -> LOG.info("rule {}", line),
            line -> TROUBLE.warn("a rule of", setting.file, line),
            FIRST_PAUSE);
    watch = Watch.open(rules, Optional.of(setting.state), counters, around);
    LOG.info("{} rules of {}", rules.size(), setting.file);
    rules.forEach(this::enter);
  }

  private void enter(Watch.Entry entry) {
    if (setting.audit.isOn()) {
      String query = entry.rule().search().replaceFirst("^[^?]*\\?", "");
      setting.audit.asked(
          new AuditLog.Entry(
              "-", "-", "RULE " + entry.rule().name(), query, "loaded", Duration.ZERO, 0, 0));
    }
  }

  private void register(MeterRegistry registry) {
    counters
        .all()
        .forEach((name, counter) ->
            FunctionCounter.builder("cordwood_rules_" + name + "_total", counter, n -> n.sum())
                .register(registry));
    registry.gauge("cordwood_rules", this, rules -> rules.status().size());
    gauge(registry, "firing", status -> status.state() == RuleStatus.State.FIRING);
    gauge(registry, "undecided", status -> !status.doubt().isEmpty());
  }

  private void gauge(MeterRegistry registry, String name, Predicate<RuleStatus> counts) {
    registry.gauge(
        "cordwood_rules_" + name, this, rules -> rules.status().stream().filter(counts).count());
  }

  private void step() {
    watched.look(this::readAgain, this::take, this::failed);
    Watch now = watch;
    if (now != null) {
      now.step();
    }
  }

  /** Keeps what fires in the file of state, from which the new rules take it. */
  private synchronized void take(List<Watch.Entry> rules) {
    try {
      closeWatch();
      if (!closed) {
        open(rules);
      }
      trouble = "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void failed(String why) {
    reloadFailures.increment();
    trouble = why;
    LOG.error(watch == null ? "no rules are watched: {}" : "the rules before it go on: {}", why);
  }

  /** How all rules stand. */
  List<RuleStatus> status() {
    Watch now = watch;
    return now == null ? last : now.status();
  }

  /** Why the file as it is now is not watched; empty if it is. */
  String trouble() {
    return trouble;
  }

  private synchronized void closeWatch() throws IOException {
    Watch now = watch;
    if (now != null) {
      last = now.status();
      watch = null;
      now.close();
    }
  }

  /** Watches no more; what is not sent yet is sent after the next start. */
  @Override
  public void close() throws IOException {
    closed = true;
    task.close();
    closeWatch(); // Also waits for rules that are just being taken, which see that it is closed.
    client.close();
  }
}
