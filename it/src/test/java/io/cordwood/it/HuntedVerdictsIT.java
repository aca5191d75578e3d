package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Seed;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.it.RandomFaults.Kind;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hunts for an answer that is called complete and lacks a record which was acknowledged before it
 * was asked for, while {@link RandomFaults} happen. {@code -Dcordwood.seconds=N} for longer, {@code
 * -Dcordwood.seed=N} for the same faults. Each minute has a cluster of its own, since one that has
 * lost a disk calls few answers complete; every other one has TLS, and of long hunts every fourth a
 * bucket, for which stores let records go after seconds.
 */
final class HuntedVerdictsIT {
  /** Too short for anything to go for a bucket. */
  private static final int SHORT_SECONDS = 15;

  private static final int SECONDS = Integer.getInteger("cordwood.seconds", SHORT_SECONDS);
  private static final int LONGEST_ROUND = 60;
  private static final int BATCH = 10;
  private static final int LIMIT = 25;
  private static final int BUCKET_EVERY = 4;

  /** Kinds of questions for a group's records. */
  private enum Question {
    COUNT("/query?count=true&q="),
    QUICK_COUNT("/query?count=true&time_limit=300ms&q="),
    NEWEST("/query?last=1000&q="),
    PAGES("/read?format=text&q="),
    HISTOGRAM("/histogram?bucket=10000d&q="),
    RECORDS("/query?q="),
    FIRST("/query?limit=" + LIMIT + "&q="),
    COUNT_OF_LABEL("/query?count=true&where=%40group%3D"),
    LABELS("/labels?name=group");

    private final String path;

    Question(String path) {
      this.path = path;
    }

    static Question random(SplittableRandom random, boolean ofLabels) {
      List<Question> kinds =
          Stream.of(values()).filter(kind -> ofLabels || !kind.path.contains("group")).toList();
      return kinds.get(random.nextInt(kinds.size()));
    }

    String path(Group group) {
      return this == LABELS ? path : path + group.prefix;
    }
  }

  /** Of an asker; a short hunt is one of many tests that share the machine. */
  private static final Duration PAUSE = Duration.ofMillis(SECONDS > SHORT_SECONDS ? 20 : 100);

  private static final Duration BETWEEN_GROUPS = Duration.ofMillis(200);

  private final List<HuntedNode> nodes = new ArrayList<>();
  private final List<Group> groups = new CopyOnWriteArrayList<>();
  private final ConcurrentLinkedQueue<String> lies = new ConcurrentLinkedQueue<>();
  private final AtomicInteger complete = new AtomicInteger();
  private final AtomicInteger incomplete = new AtomicInteger();
  private volatile boolean over;

  @TempDir private Path folder;
  private @Nullable Hosts hosts;
  private Optional<HuntedBucket> bucket = Optional.empty();

  /** Records with one prefix, all from one sender; it is closed when the next one is begun. */
  private record Group(
      String prefix, boolean labelled, AtomicInteger acknowledged, AtomicInteger sent) {
    Origin origin() {
      return new Origin("default", labelled ? Labels.of(Map.of("group", prefix)) : Labels.NONE);
    }
  }

  private void start(int ingestNodes, int stores, long seed) throws IOException {
    hosts = NamespaceHosts.orLoopback("partitions during the hunt for wrong verdicts", folder);
    boolean withBucket = SECONDS > SHORT_SECONDS && seed % BUCKET_EVERY == BUCKET_EVERY / 2;
    if (withBucket && hosts instanceof NamespaceHosts own) {
      bucket = Optional.of(bucket(own, seed));
    }
    List<Host> all = new ArrayList<>();
    for (int i = 0; i < ingestNodes + stores; i++) {
      Host host = hosts.add("n" + i);
      if (host instanceof NamespaceHost own) {
        own.limitDisk("200m");
      }
      all.add(host);
    }
    Optional<ClusterTls> tls =
        seed % 2 != 0 ? Optional.of(ClusterTls.of(folder, all)) : Optional.empty();
    for (int i = 0; i < all.size(); i++) {
      nodes.add(new HuntedNode(i, i >= ingestNodes, all.get(i), tls, bucket));
    }
    for (HuntedNode node : nodes) {
      node.knows(nodes);
      node.start();
    }
  }

  /** Every other one is a folder. */
  private HuntedBucket bucket(NamespaceHosts own, long seed) throws IOException {
    var random = new SplittableRandom(~seed);
    boolean isFolder = seed / BUCKET_EVERY % 2 == 0;
    Optional<InetAddress> at =
        isFolder ? Optional.empty() : Optional.of(InetAddress.getByName(own.outside()));
    return new HuntedBucket(Files.createDirectory(folder.resolve("bucket")), at, random);
  }

  @AfterEach
  void stop() throws IOException {
    over = true;
    bucket.ifPresent(HuntedBucket::close);
    if (hosts != null) {
      hosts.close();
    }
  }

  /** One of each round. */
  static LongStream seeds() {
    long first = Seed.of(HuntedVerdictsIT.class);
    return LongStream.range(first, first + Math.ceilDiv(SECONDS, LONGEST_ROUND));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noAnswerThatIsCalledCompleteLacksWhatWasAcknowledged(long seed) throws Exception {
    var random = new SplittableRandom(seed);
    int ingestNodes = 1 + random.nextInt(2);
    long seconds = Math.min(SECONDS, LONGEST_ROUND);
    hunt(
        seed,
        random,
        ingestNodes,
        3 + random.nextInt(2),
        faults -> {
          long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
          while (System.nanoTime() < end && lies.isEmpty()) {
            faults.happen();
          }
        });
  }

  /** Those that take more than a signal; a round of the seeds may be too short for them. */
  @Test
  void strangersFullDisksAndReplacedStoresMakeNoLie() throws Exception {
    hunt(
        39,
        new SplittableRandom(39),
        1,
        3,
        faults -> {
          HuntedNode ingest = nodes.getFirst();
          HuntedNode store = nodes.get(1);
          HuntedNode last = nodes.getLast();
          faults.happen(Kind.STRANGER, ingest, store);
          faults.happen(Kind.DISK_FULL, ingest, store);
          faults.happen(Kind.DISK_FULL, store, ingest);
          faults.happen(Kind.REPLACE, store, ingest);
          faults.happen(Kind.REPLACE_ANOTHER, last, ingest);
        });
  }

  /** One round of harm. */
  private interface Harm {
    void happen(RandomFaults faults) throws Exception;
  }

  private void hunt(long seed, SplittableRandom random, int ingestNodes, int stores, Harm harm)
      throws Exception {
    start(ingestNodes, stores, seed);
    boolean canDrop = Objects.requireNonNull(hosts).canDrop();
    var faults = new RandomFaults(nodes, canDrop, bucket, random.split());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (HuntedNode node : nodes.subList(0, ingestNodes)) {
        running.add(threads.submit(() -> send(node)));
      }
      for (int asker = 0; asker < 2; asker++) {
        SplittableRandom own = random.split();
        running.add(threads.submit(() -> ask(own)));
      }
      try {
        awaitAnswers();
        harm.happen(faults);
        awaitAllFound();
        if (bucket.isPresent()) {
          awaitEvicted();
          if (!faults.tookADisk()) {
            nodes.forEach(this::awaitComplete);
          }
        }
      } finally {
        over = true; // Or the threads would go on.
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    System.out.printf(
        "HuntedVerdictsIT: seed %d, %d nodes: "
            + "%d complete, %d incomplete of %d groups; %d faults%n",
        seed, nodes.size(), complete.get(), incomplete.get(), groups.size(), faults.done().size());
    assertThat(lies).as("seed %d, after %s", seed, faults.done()).isEmpty();
  }

  /** If the first harm took a disk, no answer might be complete for all of the round. */
  private void awaitAnswers() {
    await().until(() -> complete.get() > 0 || !lies.isEmpty());
  }

  /** Some groups a second, from one node; what was not acknowledged is not sent again. */
  private void send(HuntedNode node) {
    for (int number = 0; !over; number++) {
      var group =
          new Group(
              "hunt-%d-%d-".formatted(node.number, number),
              number % 2 == 1,
              new AtomicInteger(),
              new AtomicInteger());
      groups.add(group);
      if (node.isRunning()) {
        try (Sender sender = node.sender()) {
          for (int batch = 0; batch < 5 && !over; batch++) {
            int first = group.sent.getAndAdd(BATCH);
            sender.send(
                Sender.batch(
                    group.origin(),
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
      LockSupport.parkNanos(BETWEEN_GROUPS.toNanos());
    }
  }

  private void ask(SplittableRandom own) {
    while (!over) {
      LockSupport.parkNanos(PAUSE.toNanos());
      HuntedNode node = nodes.get(own.nextInt(nodes.size()));
      int known = groups.size();
      if (known == 0) {
        continue;
      }
      // The newest ones are on their way, the old ones were repaired, merged and moved.
      int back = own.nextBoolean() ? own.nextInt(Math.min(known, 10)) : own.nextInt(known);
      Group group = groups.get(known - 1 - back);
      ask(node, group, Question.random(own, group.labelled));
    }
  }

  private void ask(HuntedNode node, Group group, Question kind) {
    String path = kind.path(group);
    int before = group.acknowledged.get();
    if (!node.isRunning()) {
      return;
    }
    try {
      Answer answer = node.ask(path);
      if (answer.status() != 200) {
        return;
      }
      String body = answer.text();
      long found = found(kind, body, group);
      if (!"complete".equals(answer.field("verdict"))) {
        incomplete.incrementAndGet();
      } else if (found < (kind == Question.FIRST ? Math.min(before, LIMIT) : before)) {
        lies.add(
            "%s of node %d: %d of %d; missing: %s"
                .formatted(path, node.number, found, before, answer.field("missing")));
      } else if (bucket.isPresent() && kind != Question.LABELS && found > group.sent.get()) {
        lies.add(
            "%s of node %d: %d of %d that were sent"
                .formatted(path, node.number, found, group.sent.get()));
      } else {
        complete.incrementAndGet();
      }
    } catch (IOException e) {
      // It was killed, or has not listened yet.
    }
  }

  /** How many records of a group an answer has; of a label all copies are counted. */
  private static long found(Question kind, String body, Group group) {
    Stream<String> lines = body.lines();
    return switch (kind) {
      case COUNT, QUICK_COUNT, COUNT_OF_LABEL -> Long.parseLong(body.strip());
      case HISTOGRAM ->
          lines.mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1))).sum();
      case LABELS ->
          lines
              .filter(line -> line.endsWith("\t" + group.prefix))
              .mapToLong(line -> Long.parseLong(line.substring(0, line.indexOf('\t'))))
              .sum();
      case FIRST -> {
        List<String> all = lines.toList();
        yield IntStream.range(0, all.size())
            .takeWhile(i -> all.get(i).equals(group.prefix + i))
            .count();
      }
      default -> lines.count();
    };
  }

  /** Some store has let something go. */
  private void awaitEvicted() {
    await().until(() -> nodes.stream().anyMatch(HuntedNode::hasEvicted) || !lies.isEmpty());
  }

  /** Doubts end. */
  private void awaitComplete(HuntedNode node) {
    await("node " + node.number + " answers completely")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> verdict(node.ask("/query?count=true&q=hunt-")),
            it -> it.startsWith("complete") || !lies.isEmpty());
  }

  /** With its reasons, which a failure shows. */
  private static String verdict(Answer answer) {
    return Stream.of("verdict", "missing", "doubt")
        .map(answer::field)
        .filter(Objects::nonNull)
        .collect(Collectors.joining("; "));
  }

  private void awaitAllFound() {
    HuntedNode last = nodes.getLast();
    Map<String, Integer> acknowledged = new HashMap<>();
    groups.forEach(group -> acknowledged.put(group.prefix, group.acknowledged.get()));
    await()
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> {
          Answer answer = last.ask("/query?q=hunt-");
          Map<String, Integer> found = new HashMap<>();
          answer
              .text()
              .lines()
              .forEach(line ->
                  found.merge(line.substring(0, line.lastIndexOf('-') + 1), 1, Integer::sum));
          return answer.status() == 200
              && acknowledged.entrySet().stream()
                  .allMatch(group -> found.getOrDefault(group.getKey(), 0) >= group.getValue());
        });
  }
}
