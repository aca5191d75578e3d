package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hunts for an answer that is called complete and lacks a record which was acknowledged before it
 * was asked for: while nodes are killed, started again, paused, ended in order, and one store loses
 * its disk. {@code -Dcordwood.seconds=N} for longer, {@code -Dcordwood.seed=N} for the same faults.
 */
final class VerdictHuntIT {
  private static final int SECONDS = Integer.getInteger("cordwood.seconds", 45);
  private static final int INGEST = 2;
  private static final int STORES = 3;
  private static final int BATCH = 10;

  /** Kinds of questions: counts, records, the newest, pages, histograms. */
  private static final int KINDS = 6;

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final SplittableRandom random = new SplittableRandom(Seed.of(VerdictHuntIT.class));
  private final List<Integer> gossip =
      IntStream.range(0, 5).mapToObj(_ -> FreePorts.next()).toList();
  private final List<Member> members = new ArrayList<>();
  private final List<Group> groups = new CopyOnWriteArrayList<>();
  private final ConcurrentLinkedQueue<String> lies = new ConcurrentLinkedQueue<>();
  private final AtomicInteger complete = new AtomicInteger();
  private final AtomicInteger incomplete = new AtomicInteger();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private volatile boolean over;

  @TempDir private Path folder;

  /** Records with one prefix, all from one sender; it is closed when the next one is begun. */
  private record Group(String prefix, AtomicInteger acknowledged, AtomicInteger sent) {}

  /** A node, whether it is there or not. */
  private final class Member {
    private final int number;
    private final List<String> flags = new ArrayList<>();
    private Path home;
    private volatile Optional<NodeProcess> process = Optional.empty();

    Member(int number) {
      this.number = number;
      this.home = folder.resolve("node" + number);
      flags.add("--gossip-profile=local");
      flags.add("--gossip-port=" + gossip.get(number));
      flags.add("--api-port=" + FreePorts.next());
      gossip.forEach(port -> flags.add("--peer=127.0.0.1:" + port));
      if (isStore()) {
        flags.addAll(List.of("--replication-factor=2", "--repair-after=3s"));
      } else {
        flags.addAll(List.of("--durable-port=" + FreePorts.next(), "--flush-age=500ms"));
      }
    }

    boolean isStore() {
      return number >= INGEST;
    }

    void start() throws IOException {
      String role = isStore() ? "store" : "ingest";
      process = Optional.of(NodeProcess.start(role, home, flags.toArray(String[]::new)));
    }

    void kill() {
      NodeProcess running = process.orElseThrow();
      process = Optional.empty();
      running.kill();
    }

    void stop() {
      NodeProcess running = process.orElseThrow();
      process = Optional.empty();
      running.stop();
    }

    void signal(String name) throws IOException {
      Tool.run("kill", "-" + name, Long.toString(process.orElseThrow().program().pid()));
    }
  }

  @AfterEach
  void stop() {
    over = true;
    members.forEach(member -> member.process.ifPresent(NodeProcess::close));
  }

  @Test
  void noAnswerThatIsCalledCompleteLacksWhatWasAcknowledged() throws Exception {
    for (int i = 0; i < INGEST + STORES; i++) {
      members.add(new Member(i));
    }
    for (Member member : members) {
      member.start();
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (Member member : members.subList(0, INGEST)) {
        running.add(threads.submit(() -> send(member)));
      }
      for (int asker = 0; asker < 2; asker++) {
        SplittableRandom own = random.split();
        running.add(threads.submit(() -> ask(own)));
      }
      harm(System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos());
      awaitAllFound();
      over = true;
      for (Future<?> each : running) {
        each.get();
      }
    }
    System.out.printf(
        "VerdictHuntIT: %d complete and %d incomplete answers over %d groups of records%n",
        complete.get(), incomplete.get(), groups.size());
    assertThat(lies).as("after %s", faults).isEmpty();
    assertThat(complete).as("else nothing was checked").hasValueGreaterThan(SECONDS);
  }

  /** Some groups a second, from one node; what was not acknowledged is not sent again. */
  private void send(Member member) {
    for (int number = 0; !over; number++) {
      Optional<NodeProcess> node = member.process;
      var group =
          new Group(
              "hunt-%d-%d-".formatted(member.number, number),
              new AtomicInteger(),
              new AtomicInteger());
      groups.add(group);
      if (node.isPresent()) {
        try (var sender = new Sender(node.get().durablePort())) {
          for (int batch = 0; batch < 5 && !over; batch++) {
            int first = group.sent.getAndAdd(BATCH);
            sender.send(
                Sender.batch(
                    IntStream.range(first, first + BATCH)
                        .mapToObj(i -> group.prefix + i)
                        .toList()));
            if (!sender.answer().startsWith("ack ")) {
              break;
            }
            group.acknowledged.addAndGet(BATCH);
          }
        } catch (IOException e) {
          // The node is gone; what it acknowledged counts.
        }
      }
      LockSupport.parkNanos(10 * PAUSE.toNanos());
    }
  }

  private void ask(SplittableRandom own) {
    while (!over) {
      LockSupport.parkNanos(PAUSE.toNanos());
      Member member = members.get(own.nextInt(members.size()));
      int known = groups.size();
      if (known == 0) {
        continue;
      }
      // The newest ones are on their way, the old ones were repaired, merged and moved.
      int back = own.nextBoolean() ? own.nextInt(Math.min(known, 10)) : own.nextInt(known);
      ask(member, groups.get(known - 1 - back), own.nextInt(KINDS));
    }
  }

  private void ask(Member member, Group group, int kind) {
    String path =
        switch (kind) {
          case 0 -> "/query?count=true&q=" + group.prefix;
          case 1 -> "/query?count=true&time_limit=300ms&q=" + group.prefix;
          case 2 -> "/query?last=1000&q=" + group.prefix;
          case 3 -> "/read?format=text&q=" + group.prefix;
          case 4 -> "/histogram?bucket=10000d&q=" + group.prefix;
          default -> "/query?q=" + group.prefix;
        };
    int before = group.acknowledged.get();
    Optional<NodeProcess> node = member.process;
    if (node.isEmpty()) {
      return;
    }
    try {
      Answer answer = Answer.get(node.get().apiPort(), path);
      if (answer.status() != 200) {
        return;
      }
      String body = answer.text();
      long found = kind < 2 ? Long.parseLong(body.strip()) : found(kind, body);
      if (!"complete".equals(answer.field("verdict"))) {
        incomplete.incrementAndGet();
      } else if (found >= before) {
        complete.incrementAndGet();
      } else {
        lies.add(
            "%s of node %d: %d of %d; missing: %s; faults before: %d"
                .formatted(
                    path, member.number, found, before, answer.field("missing"), faults.size()));
      }
    } catch (IOException e) {
      // It was killed, or has not listened yet.
    }
  }

  private static long found(int kind, String body) {
    return kind == 4
        ? body.lines()
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
            .sum()
        : body.lines().count();
  }

  /** One fault after the other; at their end all are there. */
  private void harm(long endNanos) throws IOException {
    boolean wiped = false;
    while (System.nanoTime() < endNanos && lies.isEmpty()) {
      Member one = members.get(random.nextInt(members.size()));
      Member other = members.get((one.number + 1 + random.nextInt(members.size() - 1)) % 5);
      int fault = random.nextInt(6);
      faults.add(fault + " at " + one.number + " and " + other.number);
      switch (fault) {
        case 0 -> {
          one.kill();
          pause(2000);
          one.start();
        }
        case 1 -> {
          one.signal("STOP");
          pause(4000);
          one.signal("CONT");
        }
        case 2 -> {
          one.kill();
          other.kill();
          pause(500);
          one.start();
          pause(3000);
          other.start();
        }
        case 3 -> {
          one.stop();
          pause(1000);
          one.start();
        }
        case 4 -> {
          other.signal("STOP");
          one.kill();
          one.start();
          pause(2000);
          other.signal("CONT");
        }
        default -> {
          if (one.isStore() && !wiped) {
            wiped = true;
            one.kill();
            one.home = folder.resolve("new-disk");
            one.start();
          }
        }
      }
      pause(3000);
    }
  }

  private void pause(int mostMillis) {
    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(mostMillis)).toNanos());
  }

  private void awaitAllFound() {
    for (Group group : List.copyOf(groups)) {
      int acknowledged = group.acknowledged.get();
      NodeProcess node = Objects.requireNonNull(members.getLast()).process.orElseThrow();
      await()
          .atMost(Program.LONG)
          .pollDelay(Duration.ZERO)
          .pollInterval(PAUSE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> node.count(group.prefix) >= acknowledged);
    }
  }
}
