package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import io.cordwood.forwarder.PreparedPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Batches have one stream and one time each, and are sent many at once. */
final class ContainerBatchesTest {
  private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

  private final RecordStamp stamp = RecordStamp.first(NOW.toEpochMilli());
  private final BatchArrays arrays = new BatchArrays();

  private List<PreparedBatch> batches(String lines, Labels labels) {
    byte[] bytes = lines.getBytes(UTF_8);
    var way =
        new ContainerCutter.Way(LineFormat.cri, Multiline.NONE, ContainerCutter.Ends.WHOLE, 0, 0);
    assertThat(arrays.cutter.cut(arrays.pieces, bytes, 0, bytes.length, way))
        .isEqualTo(bytes.length);
    Origin[] origins = ContainerOrigins.of(new Origin("shop", labels));
    var records = new ContainerBatches(arrays.pieces, bytes, bytes.length, origins, stamp);
    return records.make(arrays, (origin, array) -> new PreparedBatch(origin, array, () -> {}));
  }

  private static String line(int millis, String rest) {
    return "%s %s\n".formatted(NOW.plusMillis(millis).toString().replace("Z", "4Z"), rest);
  }

  private static String text(PreparedBatch batch, PreparedPart part) {
    return new String(batch.bytes(), part.at(), part.payloadBytes(), US_ASCII);
  }

  @Test
  void thoseOfAStreamAreSentAsOneEachWithItsTime() {
    List<PreparedBatch> made =
        batches(
            line(1, "stdout F a")
                + line(1, "stderr F b")
                + line(1, "stdout F c")
                + line(2, "stdout F d")
                + line(1, "stdout F e")
                + line(3, "stderr F f"),
            Labels.NONE);
    List<String> found = new ArrayList<>();
    for (PreparedBatch batch : made) {
      for (PreparedPart part : batch.parts()) {
        long millis = (part.high() >>> 16) - NOW.toEpochMilli();
        String stream = batch.origin().labels().pairs().getOrDefault("stream", "none");
        long number = part.low() - stamp.low();
        found.add("%s %d %d %s".formatted(stream, millis, number, text(batch, part)));
      }
    }
    assertThat(found)
        .containsExactly(
            "stdout 1 0 a\nc\n",
            "stdout 2 3 d\n",
            "stdout 1 4 e\n",
            "stderr 1 2 b\n",
            "stderr 3 5 f\n");
    assertThat(made).hasSize(2);
  }

  /** The file's own counter goes on over all, in the order in which they begin. */
  @Test
  void noTwoRecordsHaveOneStamp() {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    var lines = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      String stream = random.nextBoolean() ? "stdout" : "stderr";
      lines.append(line(random.nextInt(i, i + 3) / 3, stream + " F x" + "\0".repeat(i % 2)));
    }
    List<Long> numbers = new ArrayList<>();
    for (PreparedBatch batch : batches(lines.toString(), Labels.NONE)) {
      for (PreparedPart part : batch.parts()) {
        for (int i = 0; i < part.records(); i++) {
          numbers.add(part.low() - stamp.low() + i);
        }
      }
    }
    assertThat(numbers).hasSize(2000).doesNotHaveDuplicates().allMatch(each -> each < 2000);
  }

  @Test
  void whatIsSentAtOnceIsNoLongerThanAPlainFilesBatch() {
    Labels labels = Labels.of(Map.of("note", "n".repeat(2000)));
    var lines = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      lines.append(line(i, "stdout F x"));
    }
    List<PreparedBatch> made = batches(lines.toString(), labels);
    assertThat(made)
        .hasSizeBetween(8, 9)
        .allMatch(batch -> batch.parts().getLast().end() <= BatchArrays.BATCH_BYTES);
    assertThat(made.stream().mapToInt(PreparedBatch::records).sum()).isEqualTo(2000);
  }

  /** Streams lie within each other: cut is where no record of any is open, as late as it can be. */
  @Test
  void piecesAreJoinedByStreamAndNoRecordIsSplit() {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    var way =
        new ContainerCutter.Way(LineFormat.cri, Multiline.NONE, ContainerCutter.Ends.WHOLE, 0, 0);
    for (int round = 0; round < 300; round++) {
      var lines = new StringBuilder();
      Map<String, StringBuilder> open = new TreeMap<>();
      Map<String, List<String>> records = new TreeMap<>();
      Map<String, List<String>> expected = Map.of();
      int whole = 0;
      for (int i = random.nextInt(40); i >= 0; i--) {
        String stream = random.nextBoolean() ? "stdout" : "stderr";
        String tag = random.nextInt(3) == 0 ? "P" : "F";
        String text = "x".repeat(random.nextInt(70)) + i;
        lines.append(line(random.nextInt(3), stream + " " + tag + " " + text));
        open.computeIfAbsent(stream, _ -> new StringBuilder()).append(text);
        if (tag.equals("F")) {
          String record = open.remove(stream).append('\n').toString();
          records.computeIfAbsent(stream, _ -> new ArrayList<>()).add(record);
        }
        if (open.isEmpty()) {
          whole = lines.length();
          expected = new TreeMap<>(records);
          expected.replaceAll((_, each) -> List.copyOf(each));
        }
      }
      byte[] bytes = lines.toString().getBytes(UTF_8);
      assertThat(arrays.cutter.cut(arrays.pieces, bytes, 0, bytes.length, way)).isEqualTo(whole);
      Map<String, List<String>> found = new TreeMap<>();
      Origin[] origins = ContainerOrigins.of(new Origin("shop", Labels.NONE));
      var batches = new ContainerBatches(arrays.pieces, bytes, whole, origins, stamp);
      for (PreparedBatch batch :
          batches.make(arrays, (origin, array) -> new PreparedBatch(origin, array, () -> {}))) {
        for (PreparedPart part : batch.parts()) {
          found
              .computeIfAbsent(
                  batch.origin().labels().pairs().get("stream"), _ -> new ArrayList<>())
              .addAll(text(batch, part).lines().map(each -> each + "\n").toList());
        }
      }
      assertThat(found).isEqualTo(expected);
    }
  }
}
