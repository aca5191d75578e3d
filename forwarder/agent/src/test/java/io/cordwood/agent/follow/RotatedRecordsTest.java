package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that begin in a file and go on in the next one of its name are whole, and there once. */
final class RotatedRecordsTest {
  private static final Duration LONG = Duration.ofHours(1);

  /** A clock may be coarse, and files that were rotated unseen are known by their times. */
  private static final long BEGAN_MILLIS = System.currentTimeMillis() - 60_000;

  @TempDir private Path folder;
  private FollowFixture follow;
  private int rotations;

  @BeforeEach
  void open() throws IOException {
    follow = new FollowFixture(folder.resolve("checkpoint"), folder.resolve("*.log"));
  }

  @AfterEach
  void close() throws IOException {
    follow.close();
  }

  private Path file() {
    return folder.resolve("0.log");
  }

  private static String cri(String rest) {
    return "2026-11-27T09:00:00.123456789Z " + rest + "\n";
  }

  private void add(String... lines) throws IOException {
    Files.writeString(
        file(), String.join("", lines), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void rotate() throws IOException {
    Path rotated = folder.resolve("0.log.20261127-%06d".formatted(90_000 + rotations++));
    Files.move(file(), rotated);
    Files.setLastModifiedTime(rotated, FileTime.fromMillis(BEGAN_MILLIS + 10L * rotations));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "before", "after", "both"})
  void piecesAreJoinedOverARotationAndRestarts(String restarts) throws IOException {
    add(cri("stdout F first"), cri("stdout P one "));
    assertThat(follow.records(LONG)).containsExactly("stdout first");
    add(cri("stderr F two"));
    if (!restarts.isEmpty() && !restarts.equals("after")) {
      follow.restart();
    }
    rotate();
    add(cri("stdout P and "));
    rotate();
    add(cri("stdout F three"), cri("stderr F four"));
    if (!restarts.isEmpty() && !restarts.equals("before")) {
      follow.restart();
    }
    assertThat(follow.records(3, LONG))
        .containsExactlyInAnyOrder("stdout one and three", "stderr two", "stderr four");
    assertThat(follow.counters.bytesLost.sum()).isZero();
  }

  @Test
  void stackTraceThatARotationPartsIsOneRecord() throws IOException {
    follow.restart(Multiline.parse("java"));
    add("2026-11-27 09:00:00 ERROR failed\n", "java.lang.IllegalStateException: x\n");
    assertThat(follow.records(LONG)).as("it may go on").isEmpty();
    rotate();
    assertThat(follow.records(LONG)).as("it may go on").isEmpty();
    add("\tat shop.Order.main(Order.java:1)\n", "2026-11-27 09:00:01 INFO next\n");
    assertThat(follow.records(1, LONG).getFirst())
        .isEqualTo(
            "none 2026-11-27 09:00:00 ERROR failed\njava.lang.IllegalStateException: x\n"
                + "\tat shop.Order.main(Order.java:1)");
  }

  @Test
  void whatWasCarriedIsMadeAgainAsItWas() throws IOException {
    add(cri("stdout P one "));
    assertThat(follow.records(LONG)).isEmpty();
    rotate();
    add(cri("stdout F two"), cri("stdout P three "));
    follow.arrives = false;
    List<String> records = follow.records(1, LONG);
    assertThat(records).containsExactly("stdout one two");
    follow.restart();
    assertThat(follow.records(LONG)).isEqualTo(records);
    follow.restart();
    follow.arrives = true;
    assertThat(follow.records(LONG)).isEqualTo(records);
    add(cri("stdout F four"));
    assertThat(follow.records(1, LONG)).containsExactly("stdout three four");
  }

  /** However files are rotated and the follower restarted, records are those of one file. */
  @Test
  void recordsAreThoseOfOneFileWhereverItIsRotated() throws IOException {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    String[] ends = {
      "F java.lang.Error: x", "F \tat a.B.c(D.java:1)", "F word", "P half ", "F  indented"
    };
    List<String> lines = new ArrayList<>(Collections.nCopies(60, ""));
    lines.replaceAll(_ ->
        cri((random.nextBoolean() ? "stdout " : "stderr ") + ends[random.nextInt(ends.length)]));
    lines.add(cri("stdout F x"));
    lines.add(cri("stderr F x"));
    List<String> whole;
    Files.writeString(folder.resolve("whole"), String.join("", lines));
    try (var one = new ContainerFixture(folder.resolve("whole"), LineFormat.cri, "java")) {
      whole = one.read();
    }
    follow.restart(Multiline.parse("java"));
    List<String> records = new ArrayList<>();
    add(lines.getFirst());
    records.addAll(follow.records(LONG)); // what was never seen cannot be missed
    for (String line : lines.subList(1, lines.size())) {
      add(line);
      int dice = random.nextInt(6);
      if (dice < 2) {
        records.addAll(follow.records(LONG));
      } else if (dice < 4) {
        follow.restart();
        records.addAll(follow.records(LONG));
      } else if (dice == 4) {
        rotate();
      }
    }
    records.addAll(follow.records(whole.size() - records.size(), LONG));
    assertThat(records).containsExactlyInAnyOrderElementsOf(whole);
  }
}
