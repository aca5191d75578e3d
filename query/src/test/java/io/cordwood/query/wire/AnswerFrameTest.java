package io.cordwood.query.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Topics;
import io.cordwood.query.result.AnswerFormatException;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.wire.AnswerFrame.Advanced;
import io.cordwood.query.wire.AnswerFrame.End;
import io.cordwood.query.wire.AnswerFrame.Head;
import io.cordwood.query.wire.AnswerFrame.Hits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers between nodes come back as they were written, or not at all. */
final class AnswerFrameTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_123L);
  private static final List<KnownNode> KNOWN =
      List.of(
          new KnownNode("there", true, false, KnownNode.IS_THERE, Long.MAX_VALUE),
          new KnownNode("x".repeat(KnownNode.MAX_ID_BYTES), false, true, 7, 0));
  private static final ScanStats.Snapshot STATS =
      new ScanStats.Snapshot(1, new ScanStats.Blocks(2, 3, 4, 5), 6, 7, 8, 9, 0);

  private static final List<Labels> LABELS =
      List.of(
          Labels.NONE,
          Labels.of(Map.of("pod", "web-1", "host", "a")),
          Labels.of(Map.of("pod", "")),
          Labels.of(Map.of("pod", "\u202ex")));

  private static final SearchProgress PROGRESS = new SearchProgress(4, 3, 2, 1);

  private static Query query(Detail detail) {
    return Query.everything(UlidRange.ALL, Topics.ALL, detail);
  }

  /** Groups of one batch each, in order. */
  private static List<BlockHits> groups(Detail detail, int count) {
    var random = new SplittableRandom(count);
    List<BlockHits> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int records = 1 + random.nextInt(5);
      int[] places = new int[detail == Detail.ULIDS ? records : 0];
      int[] ends = new int[detail == Detail.COUNT ? 0 : records];
      for (int r = 0; r < records; r++) {
        if (places.length > 0) {
          places[r] = (r == 0 ? 0 : places[r - 1] + 1) + random.nextInt(200);
        }
        if (ends.length > 0) {
          ends[r] = (r == 0 ? 0 : ends[r - 1]) + 1 + random.nextInt(20);
        }
      }
      byte[] bytes = new byte[ends.length == 0 ? 0 : ends[records - 1]];
      random.nextBytes(bytes);
      Arrays.stream(ends).forEach(end -> bytes[end - 1] = '\n');
      var group =
          new BlockHits.Group(
              Ulid.firstOf(1_700_000_000_000L + i), LABELS.get(random.nextInt(4)), 0, records);
      var topic = new Topic(random.nextBoolean() ? "app" : "web");
      groups.add(new BlockHits(topic, bytes, ends, places, List.of(group)));
    }
    return groups;
  }

  private static byte[] written(Detail detail, List<BlockHits> groups) throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new AnswerWriter(out, detail, true);
    writer.head(Optional.of(NOW), KNOWN);
    for (BlockHits hits : groups) {
      writer.accept(hits, hits.groups().getFirst());
    }
    writer.advanced(PROGRESS);
    writer.end(STATS);
    return out.toByteArray();
  }

  private static List<Hits> read(Detail detail, byte[] answer) throws IOException {
    var reader =
        new AnswerReader(new ByteArrayInputStream(answer), query(detail), Duration.ofMinutes(1));
    assertThat(reader.head()).isEqualTo(new Head(Optional.of(NOW), KNOWN));
    List<Hits> hits = new ArrayList<>();
    AnswerFrame frame = reader.next();
    while (frame instanceof Hits next) {
      hits.add(next);
      frame = reader.next();
    }
    assertThat(frame).isEqualTo(new Advanced(PROGRESS));
    assertThat(reader.next()).isEqualTo(new End(STATS));
    reader.awaitEnd();
    return hits;
  }

  @ParameterizedTest
  @EnumSource(
      value = Detail.class,
      names = {"COUNT", "BYTES", "ULIDS", "TOPICS"})
  void whatIsWrittenIsRead(Detail detail) throws IOException {
    List<BlockHits> groups = groups(detail, 100);
    List<Hits> found = read(detail, written(detail, groups));
    assertThat(found).hasSameSizeAs(groups);
    for (int i = 0; i < groups.size(); i++) {
      BlockHits.Group expected = groups.get(i).groups().getFirst();
      BlockHits.Group group = found.get(i).group();
      BlockHits hits = found.get(i).hits();
      assertThat(group).isEqualTo(expected);
      assertThat(hits.topic()).isEqualTo(groups.get(i).topic());
      for (int hit = 0; hit < (detail == Detail.COUNT ? 0 : group.size()); hit++) {
        assertThat(hits.record(hit)).isEqualTo(groups.get(i).record(hit));
        if (detail == Detail.ULIDS) {
          assertThat(hits.ulid(group, hit)).isEqualTo(groups.get(i).ulid(expected, hit));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Detail.class,
      names = {"COUNT", "BYTES", "ULIDS", "TOPICS"})
  void everyTruncationAndEveryFlippedBitIsSeen(Detail detail) throws IOException {
    byte[] answer = written(detail, groups(detail, 3));
    for (int length = 0; length < answer.length; length++) {
      byte[] cut = Arrays.copyOf(answer, length);
      assertThatExceptionOfType(IOException.class)
          .as("cut at %d", length)
          .isThrownBy(() -> read(detail, cut));
    }
    for (int bit = 0; bit < 8 * answer.length; bit++) {
      byte[] flipped = answer.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(IOException.class)
          .as("bit %d", bit)
          .isThrownBy(() -> read(detail, flipped));
    }
  }

  @Test
  void eachSetOfLabelsIsWrittenOnce() throws IOException {
    Labels large = Labels.of(Map.of("pod", "x".repeat(5000)));
    var out = new ByteArrayOutputStream();
    var writer = new AnswerWriter(out, Detail.COUNT, true);
    writer.head(Optional.of(NOW), KNOWN);
    for (int i = 0; i < 100; i++) {
      give(writer, i, large);
    }
    writer.advanced(PROGRESS);
    writer.end(STATS);
    assertThat(out.size()).isLessThan(2 * 5000);
    assertThat(read(Detail.COUNT, out.toByteArray()))
        .hasSize(100)
        .allMatch(hits -> hits.group().labels().equals(large));
  }

  /** More than reader and writer remember. */
  @Test
  void moreSetsOfLabelsThanAreKnownAtATimeAreRead() throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new AnswerWriter(out, Detail.COUNT, true);
    writer.head(Optional.of(NOW), KNOWN);
    var random = new SplittableRandom(7);
    List<Labels> written = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      written.add(Labels.of(Map.of("pod", "x".repeat(4000) + random.nextInt(100))));
      give(writer, i, written.getLast());
    }
    writer.advanced(PROGRESS);
    writer.end(STATS);
    assertThat(read(Detail.COUNT, out.toByteArray()).stream().map(h -> h.group().labels()))
        .isEqualTo(written);
  }

  @Test
  void anOlderReaderIsGivenOneBatchOfEachUlidWithoutLabels() throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new AnswerWriter(out, Detail.COUNT, false);
    writer.head(Optional.of(NOW), KNOWN);
    give(writer, 1, LABELS.get(1));
    give(writer, 1, LABELS.get(2));
    give(writer, 2, LABELS.get(2));
    writer.advanced(PROGRESS);
    writer.end(STATS);
    assertThat(read(Detail.COUNT, out.toByteArray()).stream().map(h -> h.group().labels()))
        .containsExactly(Labels.NONE, Labels.NONE);
  }

  private static void give(AnswerWriter writer, int millis, Labels labels) throws IOException {
    var group = new BlockHits.Group(Ulid.firstOf(millis), labels, 0, 1);
    var topic = new Topic("app");
    writer.accept(new BlockHits(topic, new byte[0], new int[0], new int[0], List.of(group)), group);
  }

  @ParameterizedTest
  @CsvSource({"1,2,0,0", "2,1,0,1", "1,-1,0,0", "-1,-2,0,0", "0,0,9000000000000000000,1"})
  void progressThatCannotBeIsRefused(long blocks, long blocksDone, long bytes, long bytesDone)
      throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new AnswerWriter(out, Detail.BYTES, true);
    writer.head(Optional.of(NOW), KNOWN);
    writer.advanced(new SearchProgress(blocks, blocksDone, bytes, bytesDone));
    var reader =
        new AnswerReader(
            new ByteArrayInputStream(out.toByteArray()),
            query(Detail.BYTES),
            Duration.ofMinutes(1));
    reader.head();
    assertThatExceptionOfType(AnswerFormatException.class).isThrownBy(reader::next);
  }
}
