package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a store had and cannot give makes the answers of the whole cluster possibly incomplete,
 * whoever is asked and however, and never shorter without a word.
 */
final class LackingAnswersTest {
  private static final int RECORDS = 300;

  private static final List<String> QUESTIONS =
      List.of(
          "/query?",
          "/query?count=true&",
          "/query?last=1000&",
          "/query?q=record&",
          "/read?format=text&",
          "/histogram?");

  @TempDir private Path folder;
  private LivingCluster cluster;

  @BeforeEach
  void start() throws IOException {
    var shape = new LivingCluster.Shape(1, 1, 1, Duration.ofDays(1));
    cluster = new LivingCluster(folder, shape, InstantSource.system());
    // One store segment each.
    for (int from : List.of(0, RECORDS / 2)) {
      List<String> records =
          IntStream.range(from, from + RECORDS / 2).mapToObj(i -> "record " + i).toList();
      try (var sender = new Sender(cluster.senderPorts(0).getFirst())) {
        sender.send(String.join("\n", records) + "\n").end();
      }
      await().until(() -> cluster.isConsumed(0));
    }
    assertAll();
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  private Answer ask(int node, String question) throws IOException {
    return Answer.get(cluster.apiPort(node), question);
  }

  private void assertAll() throws IOException {
    for (int node = 0; node < cluster.size(); node++) {
      Answer answer = ask(node, "/query?");
      assertThat(answer.field("verdict")).isEqualTo("complete");
      assertThat(answer.text().lines()).hasSize(RECORDS);
    }
  }

  /** Also of the store alone. */
  private void assertLacking(String reason) throws IOException {
    for (String question : QUESTIONS) {
      for (int node = 0; node < cluster.size(); node++) {
        Answer answer = ask(node, question);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.field("verdict")).as(question).isEqualTo("possibly-incomplete");
        assertThat(answer.field("settled-ulid")).as(question).isNull();
        assertThat(answer.field("missing")).as(question).contains("store store-0 ");
      }
    }
    assertThat(ask(1, "/query?here=true").field("missing")).contains(reason);
  }

  private List<Path> segments() throws IOException {
    return cluster.segments(0).stream().sorted().toList();
  }

  private static void spoil(Path file, long position, int bytes) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[bytes]), position);
    }
  }

  @Test
  void segmentsThatCannotBeReadAtTheStartAreSaidToBeLackingUntilTheyCan() throws IOException {
    String ill = segments().getFirst().getFileName().toString();
    var disk = new FaultyFilesystem((_, _) -> false, (path, _) -> path.toString().endsWith(ill));
    cluster.restartStore(0, new LivingCluster.Disk(disk, 0));
    assertLacking("segments that cannot be read are left out");
    assertThat(ask(0, "/query?").text().lines()).isNotEmpty().hasSizeLessThan(RECORDS);

    cluster.restartStore(0, LivingCluster.Disk.REAL);
    assertAll();
  }

  /** Its intact blocks are found in the segment that takes its place. */
  @Test
  void segmentsThatWereSetAsideAsDamagedAreSaidToBeLackingAlsoAfterTheNextStart()
      throws IOException {
    Path hit = segments().getFirst();
    long size = Files.size(hit);
    spoil(hit, size - 8, 8);
    for (int start = 0; start < 2; start++) {
      cluster.restartStore(0, LivingCluster.Disk.REAL);
      assertLacking("segments were damaged, see *.damaged in its folder");
    }
  }

  /** What has not been read for a week is read again, found out, and replaced by what is intact. */
  @Test
  void blocksThatRottedAreSaidToBeLackingAlsoOnceTheyAreHealed() throws IOException {
    for (Path segment : segments()) {
      spoil(segment, 64, 16);
    }
    assertThat(ask(0, "/query?q=record").field("verdict")).isEqualTo("possibly-incomplete");
    for (Path segment : segments()) {
      Files.setLastModifiedTime(segment, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
    }
    cluster.restartStore(0, LivingCluster.Disk.REAL);
    await()
        .until(
            () -> ask(1, "/query?here=true").field("missing"),
            missing ->
                missing != null
                    && missing.contains("segments were damaged, see *.damaged in its folder"));
    assertLacking("segments were damaged, see *.damaged in its folder");
  }

  @Test
  void recordsThatWentBeforeTheirTimeForLackOfRoomAreSaidToBeLackingAlsoAfterTheNextStart()
      throws IOException {
    long all = 0;
    for (Path segment : segments()) {
      all += Files.size(segment);
    }
    cluster.restartStore(0, new LivingCluster.Disk(LivingCluster.Disk.REAL.files(), all - 1));
    await().until(() -> cluster.retired() > 0);
    assertLacking("--max-store-size left no room for older records");
    assertThat(ask(0, "/query?").text().lines()).hasSizeLessThan(RECORDS);

    cluster.restartStore(0, LivingCluster.Disk.REAL);
    assertLacking("--max-store-size left no room for older records");
  }
}
