package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Follows files as a process does, without a node: what is read has arrived at once. */
final class FollowFixture implements AutoCloseable {
  final AtomicLong millis = new AtomicLong(System.currentTimeMillis());
  final List<String> said = new ArrayList<>();
  private final Path checkpointFile;
  private final List<String> patterns;
  LabelRule labels = LabelRule.NONE;
  Multiline multiline = Multiline.NONE;
  boolean arrives = true;
  private final BatchArrays arrays = new BatchArrays();

  Checkpoint checkpoint;
  FollowCounters counters = new FollowCounters();
  FileFinder finder;

  FollowFixture(Path checkpointFile, Path... patterns) throws IOException {
    this.checkpointFile = checkpointFile;
    this.patterns = List.of(patterns).stream().map(Path::toString).toList();
    this.checkpoint = Checkpoint.open(checkpointFile, said::add);
    this.finder = finder();
  }

  private FileFinder finder() {
    var options =
        new FollowOptions(
            patterns,
            checkpointFile,
            TopicRule.template("{name}"),
            labels,
            FollowOptions.Reading.of(multiline),
            false,
            1 << 24);
    var parts =
        new BatchParts(
            counters,
            () -> java.time.Instant.ofEpochMilli(millis.get()),
            new SentBatches(),
            () -> {});
    return new FileFinder(options, checkpoint, new FollowLog(said::add), parts);
  }

  /** Begins again with other labels. */
  void restart(LabelRule rule) throws IOException {
    labels = rule;
    restart();
  }

  /** Begins again with another way to join lines. */
  void restart(Multiline joining) throws IOException {
    multiline = joining;
    restart();
  }

  /** Ends this run, in order, and begins another. */
  void restart() throws IOException {
    close();
    counters = new FollowCounters();
    checkpoint = Checkpoint.open(checkpointFile, said::add);
    finder = finder();
  }

  /** Looks, and returns what is new in all files, each line after its topic. */
  List<String> read() throws IOException {
    finder.search();
    List<String> lines = new ArrayList<>();
    for (FollowedFile file : List.copyOf(finder.followed())) {
      while (file.hasMore(System.nanoTime(), 0)) {
        FollowedFile.Made made = file.next(arrays, 0);
        finder.tellIfPacked(file);
        if (made == null) {
          break;
        }
        String topic = file.state.topic;
        if (made.carried() != null) {
          made.planIn(checkpoint);
          continue;
        }
        int at = PreparedBatch.payloadAt(file.state.origin(made.plan().labels()));
        new String(made.batches().getFirst().bytes(), at, made.plan().length(), UTF_8)
            .lines()
            .forEach(line -> lines.add(topic + " " + line));
        if (file.learnsHead()) {
          finder.learned(file);
        }
        checkpoint.plan(file.state, made.plan());
        checkpoint.arrive(file.state, made.plan().to());
        made.giveBack(arrays);
      }
    }
    checkpoint.save();
    return lines;
  }

  /** Looks, and returns what is new in all files, as {@link ContainerFixture} does. */
  List<String> records(Duration joinWithin) throws IOException {
    finder.search();
    List<String> records = new ArrayList<>();
    for (FollowedFile file : List.copyOf(finder.followed())) {
      while (file.hasMore(System.nanoTime(), joinWithin.toNanos())) {
        if (file.learnsHead()) {
          finder.learned(file);
        }
        FollowedFile.Made made = file.next(arrays, joinWithin.toNanos());
        if (made == null) {
          break;
        }
        made.planIn(checkpoint);
        records.addAll(ContainerFixture.records(made));
        if (made.plan().records() > 0 && arrives) {
          checkpoint.arrive(file.state, made.plan().to());
        }
      }
    }
    checkpoint.save();
    return records;
  }

  /** Reads until a number of records is there, as what is left is carried after a moment. */
  List<String> records(int count, Duration joinWithin) throws IOException {
    List<String> records = new ArrayList<>();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (records.size() < count && System.nanoTime() < deadline) {
      records.addAll(records(joinWithin));
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    records.addAll(records(joinWithin));
    return records;
  }

  /** Closes all files, as after a while without anything new. */
  void closeFiles() throws IOException {
    for (FollowedFile file : finder.followed()) {
      file.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeFiles();
    checkpoint.save();
    checkpoint.close();
  }
}
