package io.cordwood.it;

import io.cordwood.it.HuntedBucket.State;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Faults of the nodes of a cluster, one after the other, from a seed. After each of them all nodes
 * are there and reach each other again. All kinds come in turn, in random order. One thread.
 */
final class RandomFaults {
  private static final Duration STUTTER = Duration.ofMillis(150);
  private static final Duration COPYING = Duration.ofSeconds(15);

  /** Of a disk, that nodes leave free. */
  private static final long RESERVE_BYTES = 64L << 20;

  /** How many times each fault of a bucket comes in a turn. */
  private static final int OF_BUCKET = 3;

  private final List<HuntedNode> nodes;
  private final boolean canDrop;
  private final SplittableRandom random;
  private final Optional<HuntedBucket> bucket;
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<Kind> next = new ArrayList<>();
  private @Nullable HuntedNode replaced;
  private @Nullable Instant replacedAt;
  private boolean isOver;

  /** A kind of fault. */
  enum Kind {
    KILL,
    KILL_OF_TWO,
    END_IN_ORDER,
    LEAVE,
    PAUSE,
    RESTART_WHILE_ANOTHER_IS_PAUSED,
    DELAY,
    PARTITION,
    PACKETS_LOST_ONE_WAY,
    MEMBERS_LOST,
    /** A new node at the address of one that is gone, or at another one. */
    REPLACE,
    /** Another one, once all copies that the first one had were made anew. */
    REPLACE_ANOTHER,
    /** A new ingest node at the address of one that is away takes senders, and is gone again. */
    STRANGER,
    DISK_FULL,
    /** So it stays until the lease of a segment runs out. */
    DISK_FULL_TO_THE_LAST_BYTE,
    BUCKET_AWAY,
    BUCKET_FAILS,
    BUCKET_ANSWERS_FALSELY,
    BUCKET_SLOW,
    BUCKET_LISTS_LACK_KEYS,
    BUCKET_LISTS_LACK_MANIFESTS,
    BUCKET_HAS_ARCHIVED_SOME;

    private boolean isOfBucket() {
      return name().startsWith("BUCKET");
    }
  }

  /**
   * @param canDrop whether packets between them can be lost
   * @param bucket of the cluster, if it has one
   */
  RandomFaults(
      List<HuntedNode> nodes,
      boolean canDrop,
      Optional<HuntedBucket> bucket,
      SplittableRandom random) {
    this.nodes = nodes;
    this.canDrop = canDrop;
    this.bucket = bucket;
    this.random = random;
  }

  /** All so far, for the message of a test that failed. */
  List<String> done() {
    return done;
  }

  /** Does the next harm, and waits a little. */
  void happen() throws Exception {
    if (next.isEmpty()) {
      next.addAll(kinds());
      Collections.shuffle(next, new Random(random.nextLong()));
    }
    HuntedNode one = nodes.get(random.nextInt(nodes.size()));
    HuntedNode other =
        nodes.get((one.number + 1 + random.nextInt(nodes.size() - 1)) % nodes.size());
    happen(next.removeLast(), one, other);
  }

  /**
   * Those of a bucket are as many as the others. A stranger is awaited until it has nothing here,
   * which a node with a bucket never says.
   */
  private List<Kind> kinds() {
    int times = bucket.isPresent() ? OF_BUCKET : 0;
    return Stream.of(Kind.values())
        .filter(kind -> kind != Kind.STRANGER || bucket.isEmpty())
        .flatMap(kind -> Collections.nCopies(kind.isOfBucket() ? times : 1, kind).stream())
        .toList();
  }

  /** That one. */
  void happen(Kind kind, HuntedNode one, HuntedNode other) throws Exception {
    done.add(kind + " at " + one.number + " and " + other.number);
    switch (kind) {
      case KILL -> kill(one);
      case KILL_OF_TWO -> killTwo(one, other);
      case END_IN_ORDER -> end(one, 1000);
      case LEAVE -> end(one, 8000);
      case PAUSE -> pause(one);
      case RESTART_WHILE_ANOTHER_IS_PAUSED -> restartBesidePaused(one, other);
      case DELAY -> delay(one);
      case PARTITION -> cut(one, true);
      case PACKETS_LOST_ONE_WAY -> cut(one, false);
      case MEMBERS_LOST -> loseMembers(one, other);
      case REPLACE -> replaceFirst(one);
      case REPLACE_ANOTHER -> replaceAnother(one);
      case STRANGER -> stranger(one);
      case DISK_FULL -> fillDisk(one, RESERVE_BYTES / 2);
      case DISK_FULL_TO_THE_LAST_BYTE -> fillDisk(one, 0);
      case BUCKET_AWAY -> harmBucket(State.AWAY, one);
      case BUCKET_FAILS -> harmBucket(State.FAILS, one);
      case BUCKET_ANSWERS_FALSELY -> harmBucket(State.FALSE_ANSWERS, one);
      case BUCKET_SLOW -> harmBucket(State.SLOW, one);
      case BUCKET_LISTS_LACK_KEYS -> harmBucket(State.LISTS_LACK_KEYS, one);
      case BUCKET_LISTS_LACK_MANIFESTS -> harmBucket(State.LISTS_LACK_MANIFESTS, one);
      case BUCKET_HAS_ARCHIVED_SOME -> harmBucket(State.SOME_ARCHIVED, one);
    }
    await(3000);
  }

  private void kill(HuntedNode one) throws IOException {
    one.kill();
    await(2000);
    one.start();
  }

  private void killTwo(HuntedNode one, HuntedNode other) throws IOException {
    one.kill();
    other.kill();
    await(500);
    one.start();
    await(3000);
    other.start();
  }

  private void end(HuntedNode one, int mostMillis) throws IOException {
    one.stop();
    await(mostMillis);
    one.start();
  }

  private void pause(HuntedNode one) throws IOException {
    one.pause();
    await(4000);
    one.resume();
  }

  private void restartBesidePaused(HuntedNode one, HuntedNode paused) throws IOException {
    paused.pause();
    one.kill();
    one.start();
    await(2000);
    paused.resume();
  }

  /** Whatever it answers, and says of itself, comes late, for some seconds. */
  private void delay(HuntedNode one) throws IOException {
    for (int i = 0; i < 10; i++) {
      one.pause();
      await((int) (2 * STUTTER.toMillis()));
      one.resume();
      await((int) STUTTER.toMillis());
    }
  }

  /** The test reaches all nodes meanwhile. */
  private void cut(HuntedNode one, boolean bothWays) throws IOException {
    if (!canDrop) {
      return;
    }
    List<HuntedNode> others = nodes.stream().filter(node -> node != one).toList();
    for (HuntedNode other : others) {
      one.dropTo(other);
      if (bothWays) {
        other.dropTo(one);
      }
    }
    await(6000);
    for (HuntedNode other : others) {
      one.deliverTo(other);
      if (bothWays) {
        other.deliverTo(one);
      }
    }
  }

  /** What a node knew is gone when it starts, while another node is away. */
  private void loseMembers(HuntedNode one, HuntedNode away) throws IOException {
    one.kill();
    away.kill();
    Path file = one.members();
    if (Files.exists(file)) {
      damage(file);
    }
    one.start();
    await(4000);
    away.start();
  }

  private void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (random.nextInt(5)) {
      case 0 -> Files.delete(file);
      case 1 -> Files.write(file, new byte[0]);
      case 2 -> Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      case 3 -> Files.write(file, new byte[bytes.length]);
      default -> {
        if (bytes.length > 0) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, bytes);
      }
    }
  }

  /** Once, of a store: two disks at a time are more than two copies survive. */
  private void replaceFirst(HuntedNode one) throws IOException {
    if (one.isStore && replaced == null) {
      replaced = one;
      replace(one);
      replacedAt = Instant.now();
    }
  }

  /** Once again, if there are two copies of all again. */
  private void replaceAnother(HuntedNode one) throws IOException {
    Instant since = replacedAt;
    if (one.isStore && since != null && one != replaced && !isOver && areTwoCopies(since)) {
      isOver = true;
      replace(one);
    }
  }

  private boolean areTwoCopies(Instant before) throws IOException {
    long end = System.nanoTime() + COPYING.toNanos();
    do {
      long copies = 0;
      for (HuntedNode node : nodes) {
        copies += node.isStore ? count(node, "here=true&to=" + before) : 0;
      }
      if (copies > 0 && copies >= 2 * count(nodes.getLast(), "to=" + before)) {
        return true;
      }
      LockSupport.parkNanos(STUTTER.toNanos());
    } while (System.nanoTime() < end);
    return false;
  }

  /** What cannot be counted makes no number of copies enough. */
  private static long count(HuntedNode node, String parameters) throws IOException {
    Answer answer = node.ask("/query?count=true&q=hunt-&" + parameters);
    return "complete".equals(answer.field("verdict"))
        ? Long.parseLong(answer.text().strip())
        : Integer.MIN_VALUE;
  }

  /** It comes and goes while nobody can meet it, or not for long; what it has comes back. */
  private void stranger(HuntedNode one) throws Exception {
    if (one.isStore) {
      return;
    }
    one.stop();
    one.keepDataIn("stranger");
    List<HuntedNode> others = nodes.stream().filter(node -> node != one).toList();
    for (HuntedNode other : others) {
      other.pause();
    }
    boolean isMet = random.nextBoolean();
    try {
      var starting = CompletableFuture.runAsync(() -> startUnseen(one));
      await(5000);
      if (!isMet) {
        starting.join();
        await(1000);
        one.kill();
      }
      for (HuntedNode other : others) {
        other.resume();
      }
      starting.join();
    } finally {
      for (HuntedNode other : others) {
        other.resume();
      }
    }
    if (isMet) {
      await(1000);
      one.kill();
    }
    one.keepDataIn("data");
    one.start();
    await(6000);
    one.stop();
    one.keepDataIn("stranger");
    one.start();
    Awaitility.await().until(() -> count(one, "here=true") == 0);
    one.stop();
    one.keepDataIn("data");
    one.start();
  }

  private static void startUnseen(HuntedNode one) {
    try {
      one.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void fillDisk(HuntedNode one, long leftBytes) throws IOException {
    if (one.canFill()) {
      one.fill(leftBytes);
      await(6000);
      one.free();
    }
  }

  /** For some seconds, in which a node may be harmed, too. */
  private void harmBucket(State how, HuntedNode one) throws IOException {
    HuntedBucket its = bucket.orElseThrow();
    its.happens(how);
    await(2000);
    switch (random.nextInt(5)) {
      case 0 -> kill(one);
      case 1 -> pause(one);
      case 2, 3 -> forgetBucket(one);
      default -> await(4000);
    }
    its.heal();
  }

  /** It knows of the bucket what a node on an empty disk knows. */
  private void forgetBucket(HuntedNode one) throws IOException {
    one.kill();
    one.forgetBucket();
    one.start();
    await(4000);
  }

  /** Whether a disk is gone, whose records nobody says to have all of. */
  boolean tookADisk() {
    return replaced != null;
  }

  private void replace(HuntedNode one) throws IOException {
    boolean inOrder = random.nextBoolean();
    if (inOrder) {
      one.stop();
    } else {
      one.kill();
    }
    one.wipe();
    boolean elsewhere = random.nextBoolean();
    if (elsewhere) {
      one.move();
    }
    done.add((inOrder ? "in order, " : "killed, ") + (elsewhere ? "elsewhere" : "at its address"));
    one.start();
  }

  private void await(int mostMillis) {
    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(mostMillis)).toNanos());
  }
}
