package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.PreparedBatch;
import io.cordwood.forwarder.PreparedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One file of a container, which is read, and planned, as a follower does it. */
final class ContainerFixture implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

  private final Path path;
  private final FileState.Cut cut;
  final FollowCounters counters = new FollowCounters();
  FileState state;
  private FollowedFile file;

  ContainerFixture(Path path, LineFormat format, String multiline) throws IOException {
    this.path = path;
    this.cut = new FileState.Cut("shop", Multiline.parse(multiline), format);
    if (!Files.exists(path)) {
      Files.createFile(path);
    }
    RecordStamp stamp = RecordStamp.first(NOW.toEpochMilli());
    this.state = new FileState(1, FileStat.of(path).key(), path, Content.Head.NONE, cut, stamp);
    this.file = followed();
  }

  private FollowedFile followed() throws IOException {
    var parts = new BatchParts(counters, () -> NOW, new SentBatches(), () -> {});
    var followed = new FollowedFile(state, path, parts);
    followed.isAt(path, FileStat.of(path), true);
    return followed;
  }

  /** Reads on, all that is there. */
  List<String> read() throws IOException {
    return read(Duration.ofHours(1));
  }

  /** Reads on, and waits no longer than this for more lines of a record. */
  List<String> read(Duration joinWithin) throws IOException {
    List<String> records = new ArrayList<>();
    boolean _ = file.isAt(path, FileStat.of(path), true);
    while (file.hasMore(System.nanoTime(), joinWithin.toNanos())) {
      FollowedFile.Made made = file.next(new BatchArrays(), joinWithin.toNanos());
      if (made == null) {
        break;
      }
      state.plan(made.plan());
      records.addAll(records(made));
    }
    return records;
  }

  /** Makes everything again that is planned, as a following process does. */
  List<String> readAgain() throws IOException {
    file.close();
    file = followed();
    List<String> records = new ArrayList<>();
    while (file.repeatsPlans()) {
      FollowedFile.Made made = file.next(new BatchArrays(), 0);
      if (made == null) {
        throw new AssertionError("expected a batch that was planned, found none");
      }
      records.addAll(records(made));
    }
    return records;
  }

  /** No more comes. */
  void end() {
    file.end();
  }

  /** Each record after its stream. */
  static List<String> records(FollowedFile.Made made) {
    List<String> records = new ArrayList<>();
    for (PreparedBatch batch : made.batches()) {
      Labels labels = batch.origin().labels();
      String stream = labels.pairs().getOrDefault("stream", "none");
      for (PreparedPart part : batch.parts()) {
        String text = new String(batch.bytes(), part.at(), part.payloadBytes(), UTF_8);
        String end = part.delimiter() == Delimiter.NUL ? "\0" : "\n";
        for (String record : text.split(end, -1)) {
          if (!record.isEmpty()) {
            records.add(stream + " " + record);
          }
        }
      }
    }
    return records;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
