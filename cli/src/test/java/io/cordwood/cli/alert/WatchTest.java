package io.cordwood.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.cli.alert.Condition.Kind;
import io.cordwood.common.http.client.JsonClient;
import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches whose clock a test moves, with targets that work, fail and hang. */
final class WatchTest {
  private static final Instant START = Instant.parse("2026-11-27T10:00:00Z");
  private static final String PAGE = "http://node:7650/";

  @TempDir private Path folder;

  private final JsonClient client = new JsonClient();
  private final WatchCounters counters = new WatchCounters();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private volatile Instant now = START;
  private volatile long records = 11;
  private HookServer hook;

  @BeforeEach
  void start() throws IOException {
    hook = new HookServer();
  }

  @AfterEach
  void stop() {
    hook.close();
    client.close();
  }

  private static Rule rule(String name) {
    var timing =
        new Rule.Timing(
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofHours(4),
            Duration.ofMinutes(10));
    return new Rule(
        name,
        List.of(),
        List.of(),
        new Condition(Kind.ABOVE, 10),
        timing,
        Map.of(),
        Map.of(),
        PAGE + "?q=&");
  }

  private Watch.Entry entry(String name, Target... targets) {
    return new Watch.Entry(
        rule(name), (_, _) -> Counted.all(records, Optional.empty()), List.of(targets));
  }

  private Target webhook(String path) {
    return webhook(hook.address(path), Patience.LONG);
  }

  private Target webhook(URI address, Duration timeout) {
    return new WebhookTarget(client, address, timeout, PAGE);
  }

  private Target command(String command, Duration timeout) {
    return new CommandTarget(command, timeout, PAGE, new Semaphore(1));
  }

  private Watch watch(Watch.Entry... entries) throws IOException {
    return watch(Optional.empty(), entries);
  }

  private Watch watch(Optional<Path> state, Watch.Entry... entries) throws IOException {
    InstantSource clock = () -> now;
    var setting = new WatchSetting(clock, said::add, this::hear, Duration.ofMillis(1));
    return Watch.open(List.of(entries), state, counters, setting);
  }

  private void hear(String trouble) {
    said.add(trouble);
    troubles.add(trouble);
  }

  private void tick(Watch watch, long counted) throws InterruptedException {
    now = now.plus(Duration.ofMinutes(1));
    records = counted;
    assertThat(watch.once(Patience.LONG)).isTrue();
  }

  /** Looks again and again, as a watch does: a rule may be busy at one look. */
  private static void look(Watch watch, Callable<Boolean> until) {
    await()
        .until(() -> {
          watch.step();
          return until.call();
        });
  }

  @Test
  void aWebhookHearsOfTheBeginAndTheEnd() throws Exception {
    try (Watch watch = watch(entry("errors", webhook("/hook")))) {
      tick(watch, 3);
      tick(watch, 11);
      tick(watch, 12);
      tick(watch, 3);
    }
    assertThat(hook.bodies()).hasSize(2);
    assertThat(hook.bodies().get(0))
        .startsWith("/hook {\"version\":\"4\"")
        .contains("\"status\":\"firing\"", "\"startsAt\":\"2026-11-27T10:02:00Z\"");
    assertThat(hook.bodies().get(1))
        .contains("\"status\":\"resolved\"", "\"endsAt\":\"2026-11-27T10:04:00Z\"");
    assertThat(said)
        .containsExactly(
            "errors: firing: 11 records in 1m, expected at most 10",
            "errors: resolved: 3 records in 1m, expected at most 10");
    assertThat(counters.json()).contains("\"windows\":4,", "\"fired\":1,", "\"resolved\":1,");
  }

  /** It would take an alert that is not sent again for resolved. */
  @Test
  void alertmanagerHearsOfWhatFiresAfterEachWindow() throws Exception {
    var target =
        new AlertmanagerTarget(client, hook.address("/api/v2/alerts"), Patience.LONG, () -> now);
    try (Watch watch = watch(entry("errors", target))) {
      tick(watch, 11);
      tick(watch, 11);
      tick(watch, 3);
      tick(watch, 3);
    }
    assertThat(hook.bodies()).hasSize(3);
    assertThat(hook.bodies().get(0))
        .startsWith("/api/v2/alerts [{\"labels\":{\"alertname\":\"errors\"}")
        .contains("\"endsAt\":\"2026-11-27T10:05:00Z\"");
    assertThat(hook.bodies().get(1)).contains("\"endsAt\":\"2026-11-27T10:06:00Z\"");
    assertThat(hook.bodies().get(2)).contains("\"endsAt\":\"2026-11-27T10:03:00Z\"");
  }

  @Test
  void aWebhookThatFailsGetsTheNewestStateWhenItWorksAgain() throws Exception {
    hook.status = 500;
    try (Watch watch = watch(entry("errors", webhook("/hook")))) {
      now = now.plus(Duration.ofMinutes(1));
      look(watch, () -> hook.calls() >= 3);
      now = now.plus(Duration.ofMinutes(1));
      records = 3;
      look(watch, () -> said.stream().anyMatch(line -> line.contains("resolved")));
      // One that began before that may be on its way; the next has the newest state.
      int begun = hook.calls();
      look(watch, () -> hook.calls() >= begun + 2);
      hook.status = 200;
      await().until(() -> !hook.bodies().isEmpty());
      assertThat(hook.bodies()).singleElement().asString().contains("\"status\":\"resolved\"");
    }
    String host = "127.0.0.1:" + hook.address("/").getPort();
    assertThat(troubles)
        .containsExactly(
            "errors: webhook: " + host + ": expected status 2xx, found 500; trying again");
  }

  /** Of the machine or the libraries, as when the heap is full. */
  private record Breaking(Target target, AtomicBoolean breaks) implements Target {
    @Override
    public String name() {
      return target.name();
    }

    @Override
    public void send(Rule rule, List<Alert> alerts) throws IOException, InterruptedException {
      if (breaks.getAndSet(false)) {
        throw new LinkageError("expected");
      }
      target.send(rule, alerts);
    }
  }

  @Test
  void anAlertIsSentThoughSendingItEndedInAnError() throws Exception {
    var target = new Breaking(webhook("/hook"), new AtomicBoolean(true));
    try (Watch watch = watch(entry("errors", target))) {
      now = now.plus(Duration.ofMinutes(1));
      await()
          .dontCatchUncaughtExceptions()
          .until(() -> {
            watch.step();
            return hook.bodies().size() == 1;
          });
    }
  }

  @Test
  void aWebhookThatHangsHoldsUpNoOtherRule() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      URI nowhere = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      try (Watch watch =
          watch(
              entry("hung", webhook(nowhere, Patience.LONG)), entry("errors", webhook("/hook")))) {
        look(watch, () -> hook.bodies().size() == 1);
        now = now.plus(Duration.ofMinutes(1));
        records = 1;
        look(watch, () -> hook.bodies().size() == 2);
      }
    }
  }

  @Test
  void aWebhookThatHangsIsGivenUpAndTriedAgain() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      URI nowhere = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      try (Watch watch = watch(entry("hung", webhook(nowhere, Duration.ofMillis(20))))) {
        look(watch, () -> counters.sendFailures.sum() >= 2);
      }
    }
    assertThat(said).anyMatch(line -> line.contains("expected an answer within 20 ms, found none"));
  }

  @Test
  void aCommandGetsTheAlertInVariablesAndOnStandardInput() throws Exception {
    Path out = folder.resolve("out");
    String script =
        "{ echo \"$ALERT_NAME|$ALERT_STATUS|$ALERT_COUNT|$ALERT_SUMMARY|$ALERT_URL\"; cat; } > '"
            + out
            + "'";
    try (Watch watch = watch(entry("errors", command(script, Patience.LONG)))) {
      tick(watch, 11);
    }
    assertThat(Files.readString(out))
        .startsWith(
            "errors|firing|1|errors: 11 records in 1m, expected at most 10|"
                + "http://node:7650/?q=&from=2026-11-27T10:00:00Z&to=2026-11-27T10:00:59.999Z\n"
                + "{\"version\":\"4\"");
  }

  @Test
  void aCommandThatFailsIsRunAgain() throws Exception {
    Path mark = folder.resolve("mark");
    String script =
        "[ -e '%1$s' ] && exit 0; touch '%1$s'; echo no channel >&2; exit 3".formatted(mark);
    try (Watch watch = watch(entry("errors", command(script, Patience.LONG)))) {
      tick(watch, 11);
    }
    assertThat(said)
        .contains(
            "errors: exec: expected exit code 0, found 3: no channel; trying again",
            "errors: exec: works again");
  }

  @Test
  void aCommandThatHangsIsEndedWithItsChildren() throws Exception {
    Path child = folder.resolve("child");
    String script =
        "sleep 1000 & echo $! > '%1$s.new'; mv '%1$s.new' '%1$s'; wait".formatted(child);
    try (Watch watch = watch(entry("errors", command(script, Patience.millis(500))))) {
      look(watch, () -> counters.sendFailures.sum() >= 1 && Files.exists(child));
    }
    long id = Long.parseLong(Files.readString(child).strip());
    await().until(() -> ProcessHandle.of(id).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void aRuleThatTakesLongerThanItsIntervalSkipsWindowsAndSaysSo() throws Exception {
    var counts = new AtomicInteger();
    var slow = new CountDownLatch(1);
    var entry =
        new Watch.Entry(
            rule("slow"),
            (_, _) -> {
              if (counts.getAndIncrement() == 0) {
                slow.await();
              }
              return Counted.all(0, Optional.empty());
            },
            List.of());
    try (Watch watch = watch(entry)) {
      watch.step();
      for (int i = 0; i < 3; i++) {
        now = now.plus(Duration.ofMinutes(1));
        watch.step();
      }
      slow.countDown();
      look(watch, () -> counts.get() == 2);
      assertThat(counters.skipped.sum()).isEqualTo(2);
      assertThat(said).singleElement().asString().startsWith("slow: 2 windows are skipped");
    }
  }

  @Test
  void aRestartFiresNothingTwiceAndSendsWhatWasNotSent() throws Exception {
    Optional<Path> state = Optional.of(folder.resolve("state"));
    try (Watch watch = watch(state, entry("errors", webhook("/hook")))) {
      tick(watch, 11);
    }
    try (Watch watch = watch(state, entry("errors", webhook("/hook")))) {
      assertThat(watch.once(Patience.LONG)).isTrue();
      tick(watch, 11);
      assertThat(hook.bodies()).hasSize(1);
      hook.status = 503;
      now = now.plus(Duration.ofMinutes(1));
      records = 1;
      look(watch, () -> counters.sendFailures.sum() >= 1);
    }
    hook.status = 200;
    try (Watch watch = watch(state, entry("errors", webhook("/hook")))) {
      look(watch, () -> hook.bodies().size() == 2);
    }
    assertThat(hook.bodies().getLast()).contains("\"status\":\"resolved\"");
    assertThat(counters.windows.sum()).isEqualTo(3);
  }

  @Test
  void aCommandThatRunsWhenItIsClosedEndsAndIsNotRunAgain() throws Exception {
    Optional<Path> state = Optional.of(folder.resolve("state"));
    Path sent = folder.resolve("sent");
    Target slow = command("echo firing >> '" + sent + "'; sleep 0.2", Patience.LONG);
    try (Watch watch = watch(state, entry("errors", slow))) {
      now = now.plus(Duration.ofMinutes(1));
      look(watch, () -> Files.exists(sent));
    }
    assertThat(counters.sent.sum()).isEqualTo(1);
    try (Watch watch = watch(state, entry("errors", slow))) {
      assertThat(watch.once(Patience.LONG)).isTrue();
    }
    assertThat(sent).hasContent("firing");
  }

  @Test
  void aCommandThatTakesLongerWhenItIsClosedIsEndedAndRunAgain() throws Exception {
    Optional<Path> state = Optional.of(folder.resolve("state"));
    Path sent = folder.resolve("sent");
    Path quick = folder.resolve("quick");
    String script = "echo firing >> '%s'; [ -e '%s' ] || exec sleep 1000".formatted(sent, quick);
    Target slow = command(script, Patience.LONG);
    try (Watch watch = watch(state, entry("errors", slow))) {
      now = now.plus(Duration.ofMinutes(1));
      look(watch, () -> Files.exists(sent));
    }
    assertThat(counters.sent.sum()).isZero();
    Files.createFile(quick);
    try (Watch watch = watch(state, entry("errors", slow))) {
      look(watch, () -> counters.sent.sum() == 1);
    }
    assertThat(sent).hasContent("firing\nfiring");
  }

  @Test
  void whatARuleThatIsGoneHasKeptIsSaid() throws Exception {
    Optional<Path> state = Optional.of(folder.resolve("state"));
    watch(state, entry("errors"), entry("others")).close();
    watch(state, entry("errors")).close();
    assertThat(said).containsExactly("others: the rule is gone, and its state with it");
  }

  @Test
  void aPlaceThatCannotBeWrittenToIsRefusedAtOnce() {
    Path nowhere = folder.resolve("none").resolve("state");
    assertThatThrownBy(() -> watch(Optional.of(nowhere), entry("errors")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(nowhere.toString());
  }
}
