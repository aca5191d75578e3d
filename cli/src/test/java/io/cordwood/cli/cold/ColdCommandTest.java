package io.cordwood.cli.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.EncryptionKeyFiles;
import io.cordwood.common.cold.ColdEnds;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdManifests;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bucket is looked at without a node. */
final class ColdCommandTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir private Path folder;
  private String url;

  @BeforeEach
  void fill() throws IOException {
    url = folder.resolve("cold").toUri().toString();
    fill(url);
  }

  private void fill(String place) throws IOException {
    try (Bucket bucket = BucketUrl.parse(place).open()) {
      for (int day = 0; day < 2; day++) {
        var batches = ColdSegments.batches(new Topic("shop"), NOON.plusSeconds(86_400L * day), 20);
        Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
        ColdUpload.put(bucket, file, "all");
      }
    }
  }

  private CommandRun run(String... words) {
    return CommandRun.of("cold", new ColdCommand(), words);
  }

  /** Runs one with the place before its other argument. */
  private CommandRun run(List<String> command, String place) {
    List<String> words = new ArrayList<>(command);
    words.add(1, place);
    return run(words.toArray(String[]::new));
  }

  private Path object() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("cold"))) {
      return files.filter(it -> it.toString().endsWith(".cws")).sorted().findFirst().orElseThrow();
    }
  }

  @Test
  void lsListsWhatMayHaveRecordsOfARange() {
    assertThat(run("ls", url).err()).contains("2 segments");
    CommandRun one = run("ls", url, "--since", "2026-11-27T00:00:00Z");
    assertThat(one.code()).isZero();
    assertThat(one.err()).contains("1 segments");
    assertThat(run("ls", url, "--until", "2020-01-01T00:00:00Z").code()).isOne();
  }

  @Test
  void verifyFindsAFlippedBit() throws IOException {
    assertThat(run("verify", url).code()).isZero();
    assertThat(run("verify", "--tails", url).code()).isZero();
    byte[] bytes = Files.readAllBytes(object());
    bytes[bytes.length / 3] ^= 1;
    Files.write(object(), bytes);
    assertThat(run("verify", url).code()).isOne();
  }

  @Test
  void whatIsNamedAndNotListedIsToldUntilItIsOver() throws IOException {
    ColdObject first;
    try (Bucket bucket = BucketUrl.parse(url).open()) {
      first = ColdList.of(bucket, UlidRange.ALL).objects().getFirst();
      ColdManifests.put(bucket, first.name().day(), List.of(first));
    }
    assertThat(run("ls", url).code()).isZero();
    Files.delete(object());
    String told = first.name() + " is named, but not listed";
    CommandRun listed = run("ls", url);
    assertThat(listed.code()).isEqualTo(2);
    assertThat(listed.err()).contains(told).contains("1 segments");
    assertThat(run("ls", url, "--since", "2026-11-27T00:00:00Z").code()).isZero();
    CommandRun verified = run("verify", url);
    assertThat(verified.code()).isOne();
    assertThat(verified.err()).contains(told);
    Path target = folder.resolve("got");
    CommandRun got = run("get", url, target.toString());
    assertThat(got.code()).isEqualTo(2);
    assertThat(got.err()).contains(told);
    assertThat(Filesystem.real().list(target)).hasSize(1);
    try (Bucket bucket = BucketUrl.parse(url).open()) {
      ColdEnds.put(bucket, first.name().day(), List.of(first.name()));
    }
    assertThat(run("ls", url).code()).isZero();
    assertThat(run("verify", url).code()).isZero();
  }

  @Test
  void aDamagedManifestIsTold() throws IOException {
    Path day = Files.createDirectories(folder.resolve("cold/named/2026-11-26"));
    Files.writeString(day.resolve("0".repeat(32)), "x");
    CommandRun listed = run("ls", url);
    assertThat(listed.code()).isEqualTo(2);
    assertThat(listed.err())
        .contains(
            "unread manifest named/2026-11-26/"
                + "0".repeat(32)
                + ": at byte 0: expected the bytes")
        .contains("1 manifests do not say what should be there")
        .contains("2 segments");
    assertThat(run("ls", url, "--since", "2026-11-27T00:00:00Z").code()).isZero();
    assertThat(run("verify", url).code()).isOne();
    String moved = copyOf("cold");
    assertThat(run("moved", moved, url).err())
        .contains("a manifest that reads, found named/2026-11-26")
        .contains("nothing is noted");
    assertThat(folder.resolve("copy/moved")).doesNotExist();
  }

  @Test
  void anObjectOfNoBytesIsDamaged() throws IOException {
    Files.write(object(), new byte[0]);
    assertThat(run("verify", url).code()).isOne();
    assertThat(run("verify", "--tails", url).code()).isOne();
  }

  @Test
  void whatWasGotIsAStoresFileAndIsNotGotAgain() throws IOException {
    Path target = folder.resolve("got/store");
    CommandRun got = run("get", url, target.toString());
    assertThat(got.code()).isZero();
    assertThat(got.err()).contains("get: 2 segments").contains("; 0 were there");
    List<Path> files = Filesystem.real().list(target);
    assertThat(files).hasSize(2).allMatch(it -> it.toString().endsWith(".flushed"));
    StoreSegment segment = StoreSegment.open(Filesystem.real().open(files.getFirst()));
    assertThat(segment.records()).isEqualTo(200);
    segment.release();
    assertThat(run("get", url, target.toString()).err()).contains("2 were there");
  }

  @Test
  void twoMayGetTheSameSegmentsIntoOneFolder() throws Exception {
    Path target = folder.resolve("got/store");
    try (ExecutorService commands = Executors.newFixedThreadPool(4)) {
      List<Future<CommandRun>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(commands.submit(() -> run("get", url, target.toString())));
      }
      for (Future<CommandRun> each : all) {
        assertThat(each.get().code()).isZero();
      }
    }
    List<Path> files = Filesystem.real().list(target);
    assertThat(files).hasSize(2).allMatch(it -> it.toString().endsWith(".flushed"));
  }

  @Test
  void whatAKilledCommandLeftIsDroppedAfterADay() throws IOException {
    Path target = Files.createDirectories(folder.resolve("got/store"));
    Path old = Files.writeString(target.resolve("a.flushed.1.part"), "half");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(100_000)));
    Path young = Files.writeString(target.resolve("b.flushed.2.part"), "half");
    assertThat(run("get", url, target.toString()).code()).isZero();
    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }

  @Test
  void aPlaceThatWasMovedHasAllOfItsSegmentsAndItsMark() throws IOException {
    Path copy = folder.resolve("copy");
    String moved = copy.toUri().toString();
    Files.createDirectories(copy);
    assertThat(run("moved", moved, url).err()).contains("2 segments or").contains("nothing is");
    copy(folder.resolve("cold"), copy);
    Files.delete(copy.resolve("place"));
    assertThat(run("moved", moved, url).err()).contains("expected the mark");
    copy(folder.resolve("cold"), copy);
    assertThat(run("moved", moved, url).code()).isZero();
    assertThat(run("moved", moved, url).code()).isZero();
    assertThat(Files.readString(copy.resolve("moved")).lines()).hasSize(1);
    assertThat(run("moved", moved, moved).err()).contains("expected two addresses");
    String gone = folder.resolve("not/mounted").toUri().toString();
    CommandRun unread = run("moved", moved, gone);
    assertThat(unread.code()).isZero();
    assertThat(unread.err()).contains("not compared, since");
    assertThat(run("moved", moved, "x").err()).contains("OLDPLACE: expected file:///FOLDER");
  }

  @Test
  void aPlaceThatWasMovedHasWhatManifestsNameThoughNoListHasIt() throws IOException {
    ColdObject first;
    try (Bucket bucket = BucketUrl.parse(url).open()) {
      first = ColdList.of(bucket, UlidRange.ALL).objects().getFirst();
      ColdManifests.put(bucket, first.name().day(), List.of(first));
    }
    String moved = copyOf("cold");
    Path there = folder.resolve("copy/" + first.name().key());
    Path here = folder.resolve("cold/" + first.name().key());
    Files.delete(there);
    Files.move(here, folder.resolve("hidden"));
    for (String old : List.of(url, folder.resolve("not/mounted").toUri().toString())) {
      CommandRun lacks = run("moved", moved, old);
      assertThat(lacks.code()).as(old).isOne();
      assertThat(lacks.err())
          .contains("expected %s of %d bytes".formatted(first.name(), first.bytes()))
          .contains("1 segments or manifests are not in");
    }
    Files.move(folder.resolve("hidden"), there);
    Path named = Files.move(folder.resolve("copy/named"), folder.resolve("unnamed"));
    assertThat(run("moved", moved, url).err()).contains("expected named/2026-11-26/");
    Files.move(named, folder.resolve("copy/named"));
    assertThat(run("moved", moved, url).code()).isZero();
  }

  /** The place of it. */
  private String copyOf(String place) throws IOException {
    Path copy = folder.resolve("copy");
    copy(folder.resolve(place), copy);
    return copy.toUri().toString();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file));
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void aFolderDoesAllThatIsAskedForAndNothingStays() throws IOException {
    assertThat(run("check", url).code()).isZero();
    try (Bucket bucket = BucketUrl.parse(url).open()) {
      assertThat(bucket.listAll("")).hasSize(3); // the mark, too
    }
    try (Stream<Path> all = Files.walk(Path.of(URI.create(url)))) {
      assertThat(all).noneMatch(it -> it.toString().contains("check-"));
    }
  }

  @Test
  void anEncryptedPlaceNeedsItsKeyAndNothingElse() throws IOException {
    Path keys = EncryptionKeyFiles.write(folder.resolve("keys"), EncryptionKeyFiles.ONE);
    String place = folder.resolve("encrypted").toUri().toString();
    String key = "?key=" + keys;
    fill(place + key);
    try (Bucket bucket = BucketUrl.parse(place + key).open()) {
      ColdObject first = ColdList.of(bucket, UlidRange.ALL).objects().getFirst();
      ColdManifests.put(bucket, first.name().day(), List.of(first));
    }
    assertThat(run("ls", place + key).err()).contains("2 segments");
    assertThat(run("ls", place).err())
        .contains("2 segments")
        .contains("1 manifests do not say what should be there")
        .contains("is encrypted; expected key=FILE");
    assertThat(run("ls", url + key).err()).contains("found one that is not encrypted");
    assertThat(run("verify", place + key).code()).isZero();
    assertThat(run("verify", "--tails", place + key).code()).isZero();
    assertThat(run("check", place + key).code()).isZero();
    assertThat(run("get", url, folder.resolve("of-plain").toString()).code()).isZero();
    assertThat(run("get", place + key, folder.resolve("got").toString()).code()).isZero();
    for (Path file : Filesystem.real().list(folder.resolve("of-plain"))) {
      assertThat(folder.resolve("got").resolve(String.valueOf(file.getFileName())))
          .hasSameBinaryContentAs(file);
    }
    String none = folder.resolve("none").toString();
    for (var command : List.of(List.of("verify"), List.of("grep", none), List.of("get", none))) {
      CommandRun without = run(command, place);
      assertThat(without.code()).as("%s", command).isEqualTo(2);
      assertThat(without.err()).as("%s", command).contains("is encrypted; expected key=FILE");
      CommandRun needless = run(command, url + key);
      assertThat(needless.code()).as("%s", command).isEqualTo(2);
      assertThat(needless.err()).as("%s", command).contains("found one that is not encrypted");
    }
  }

  @Test
  void aPlaceThatIsNoneIsTold() {
    CommandRun none = run("ls", "ftp://x");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("expected file:///FOLDER or s3://BUCKET/PREFIX, found ftp://x");
    CommandRun gone = run("ls", folder.resolve("not/mounted").toUri().toString());
    assertThat(gone.code()).isEqualTo(2);
    assertThat(gone.err()).contains("is it mounted?");
    assertThat(run().err()).contains("expected ls, check, get, grep, moved or verify, found none");
  }
}
