package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Senders of durable mode that go on whatever happens to the nodes: one for each ingest node, which
 * knows no other, and one that may send to any of them.
 */
final class ClusterLoad implements AutoCloseable {
  /** Each record is a segment of its own on its way, and costs all nodes many requests. */
  private static final Duration PAUSE = Duration.ofMillis(150);

  private final List<AcknowledgedLoad> senders = new ArrayList<>();

  static ClusterLoad start(String name, List<ClusterNode> ingest) {
    List<HostPort> targets =
        ingest.stream().map(node -> node.host().reach(ClusterNode.DURABLE_PORT)).toList();
    var load = new ClusterLoad();
    Optional<ClusterTls> tls = ingest.getFirst().tls();
    for (int i = 0; i < targets.size(); i++) {
      load.add(name + " to " + i, List.of(targets.get(i)), tls);
    }
    load.add(name + " to any", targets, tls);
    return load;
  }

  private void add(String name, List<HostPort> targets, Optional<ClusterTls> tls) {
    senders.add(AcknowledgedLoad.start(name, PAUSE, targets, tls));
  }

  /** How many records of each sender are acknowledged by now: the first so many. */
  List<Long> acknowledged() {
    return senders.stream().map(AcknowledgedLoad::acknowledged).toList();
  }

  /** Waits until every sender has so many more acknowledged. */
  void awaitProgress(long records) {
    List<Long> before = acknowledged();
    for (int i = 0; i < senders.size(); i++) {
      senders.get(i).awaitAcknowledged(before.get(i) + records);
    }
  }

  /** Waits until the one that may send to any node has so many more acknowledged. */
  void awaitProgressOfTheOneWithAChoice(long records) {
    AcknowledgedLoad sender = senders.getLast();
    sender.awaitAcknowledged(sender.acknowledged() + records);
  }

  /** Acknowledged before &sube; found &sube; sent after, and each once; how many they are. */
  long assertConsistent(Question question) throws IOException {
    List<Long> acknowledged = acknowledged();
    FoundRecords found = question.ask();
    assertConsistent(acknowledged, found);
    return found.size();
  }

  /** The same of an answer to a question that was asked when so many were acknowledged. */
  void assertConsistent(List<Long> acknowledged, FoundRecords found) {
    for (int i = 0; i < senders.size(); i++) {
      AcknowledgedLoad sender = senders.get(i);
      BitSet numbers = found.numbersOf(sender);
      assertThat((long) numbers.nextClearBit(0))
          .as("the first record of '%s' that is not found, all before were", sender.name())
          .isGreaterThanOrEqualTo(acknowledged.get(i));
      assertThat((long) numbers.length()).as(sender.name()).isLessThanOrEqualTo(sender.sent());
    }
  }

  /**
   * Whether each of the first records of each sender is on so many stores.
   *
   * @param stores what each of them has
   */
  boolean areOnStores(List<Long> records, int copies, List<FoundRecords> stores) {
    for (int i = 0; i < senders.size(); i++) {
      int[] found = new int[Math.toIntExact(records.get(i))];
      for (FoundRecords store : stores) {
        store.numbersOf(senders.get(i)).stream()
            .takeWhile(number -> number < found.length)
            .forEach(number -> found[number]++);
      }
      if (Arrays.stream(found).anyMatch(number -> number < copies)) {
        return false;
      }
    }
    return true;
  }

  /** Something that is asked of the cluster while the senders go on. */
  interface Question {
    FoundRecords ask() throws IOException;
  }

  /** How many records there are. */
  long sent() {
    return senders.stream().mapToLong(AcknowledgedLoad::sent).sum();
  }

  /**
   * Does something while nothing new is sent. Beside senders, a machine that is slow enough always
   * has a record that is on the first of its stores only.
   */
  void inQuiet(Runnable work) {
    senders.forEach(AcknowledgedLoad::hold);
    work.run();
    senders.forEach(AcknowledgedLoad::resume);
  }

  /** Sends no more, and waits until all is acknowledged. */
  void finish() {
    senders.forEach(AcknowledgedLoad::finish);
  }

  @Override
  public void close() {
    senders.forEach(AcknowledgedLoad::close);
  }
}
