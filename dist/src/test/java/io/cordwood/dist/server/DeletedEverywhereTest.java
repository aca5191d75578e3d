package io.cordwood.dist.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.testing.Seed;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is deleted is in no file of any node of a cluster: neither of one that was away when it was
 * asked for, nor of one that is restored from a backup of before. Records are looked for in the
 * bytes of all files, some as large random ones, which nothing compresses; and decompressed, in all
 * segments of stores.
 */
final class DeletedEverywhereTest {
  private static final String SECRET = "anna bought a ticket to Samarkand";
  private static final String KEPT = "bert bought a ticket to Bukhara";

  @TempDir private Path folder;
  private final SplittableRandom random =
      new SplittableRandom(Seed.of(DeletedEverywhereTest.class));

  private byte[] incompressible() {
    byte[] bytes = new byte[3000];
    random.nextBytes(bytes);
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = bytes[at] == '\n' || bytes[at] == '\r' ? 1 : bytes[at];
    }
    return bytes;
  }

  private static String body(String line, byte[] large) {
    return line + "\n" + new String(large, ISO_8859_1) + "\n";
  }

  private LiveNode start(String role, String... flags) throws IOException {
    return LiveNode.start(role, data(role), flags);
  }

  private Path data(String node) {
    return folder.resolve(node);
  }

  private LiveNode startStore(String name, LiveNode peer) throws IOException {
    return LiveNode.start("store", data(name), "--peer=127.0.0.1:" + peer.gossipPort());
  }

  @Test
  void noByteIsLeftOnANodeThatWasAwayOrIsRestoredFromABackup() throws IOException {
    byte[] secret = incompressible();
    byte[] kept = incompressible();
    List<Path> all = List.of(data("ingest"), data("a"), data("b"));
    try (LiveNode ingest =
        start("ingest", "--audit-file=" + folder.resolve("audit.log"), "--flush-age=1s")) {
      try (LiveNode a = startStore("a", ingest);
          LiveNode b = startStore("b", ingest)) {
        awaitAlive(ingest, a);
        awaitAlive(ingest, b);
        store(ingest, "shop", body(SECRET, secret));
        store(ingest, "audit", body(KEPT, kept));
        for (String store : List.of("a", "b")) {
          await().until(() -> isIn(data(store), secret) && isIn(data(store), kept));
        }
        assertThat(Cordwood.run("backup", "--data=" + data("a"), backup().toString())).isZero();
      }
      try (LiveNode a = startStore("a", ingest)) {
        awaitAlive(ingest, a);
        delete(ingest);
        for (LiveNode node : List.of(ingest, a)) {
          await().until(() -> node.get("/query?q=&count=true").equals("2\n"));
          await().until(() -> node.get("/deletions").contains("\tcarried out\n"));
        }
        await().until(() -> !isIn(data("a"), secret) && !isIn(data("ingest"), secret));
        assertThat(isIn(data("b"), secret)).as("it is away").isTrue();
      }
      remove(data("a"));
      assertThat(Cordwood.run("restore", backup().toString(), "--data=" + data("a"))).isZero();
      assertThat(isIn(data("a"), secret)).as("a backup of before").isTrue();
      try (LiveNode a = startStore("a", ingest);
          LiveNode b = startStore("b", ingest)) {
        for (LiveNode node : List.of(a, b)) {
          awaitAlive(node, ingest);
          await().until(() -> node.get("/query?q=ticket").equals(KEPT + "\n"));
          await().until(() -> node.get("/deletions").contains("\tcarried out\n"));
          assertThat(node.get("/deletions?format=json")).contains("\"carried_out\":true}");
        }
        await().until(() -> all.stream().noneMatch(data -> isIn(data, secret)));
      }
    }
    for (Path data : all) {
      assertThat(isIn(data, secret)).as("%s", data).isFalse();
      assertThat(isIn(data, SECRET.getBytes(UTF_8))).as("%s", data).isFalse();
    }
    for (String store : List.of("a", "b")) {
      assertThat(isIn(data(store), kept)).isTrue();
      assertThat(decompressed(data(store))).contains(KEPT).doesNotContain(SECRET);
    }
    assertThat(Files.readString(folder.resolve("audit.log")))
        .contains("\"what\":\"POST /delete\"")
        .contains("\"outcome\":\"learned\"")
        .contains("\"outcome\":\"carried out\"");
  }

  private static void awaitAlive(LiveNode asked, LiveNode other) throws IOException {
    String id = other.nodeId();
    await()
        .until(() ->
            asked
                .get("/cluster")
                .lines()
                .anyMatch(line -> line.startsWith(id) && line.contains("\talive\t")));
  }

  private Path backup() {
    return folder.resolve("backup");
  }

  private static void store(LiveNode ingest, String topic, String lines) throws IOException {
    await()
        .until(() ->
            ingest
                .post("/ingest/bulk?wait=10m&topic=" + topic, lines.getBytes(ISO_8859_1))
                .startsWith("committed "));
  }

  /** It is counted first, and the node that is away is named. */
  private static void delete(LiveNode node) throws IOException {
    Instant now = Instant.now();
    await().until(() -> Instant.now().isAfter(now.plusMillis(1)));
    String asked = "/delete?topic=shop&from=2020-01-01&to=" + now;
    assertThat(node.post(asked, new byte[0])).contains(" of shop, ").contains("nothing is deleted");
    await().until(() -> node.get("/query?q=&count=true").equals("4\n"));
    assertThat(node.post(asked + "&count=2", new byte[0]))
        .startsWith("2 records deleted, as ")
        .contains(" does not know it yet: ");
  }

  private static void remove(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Whether a file may have some; one that goes or moves while it is read may. */
  private static boolean isIn(Path data, byte[] bytes) {
    String wanted =
        bytes.length > 1000
            ? new String(Arrays.copyOfRange(bytes, 100, 150), ISO_8859_1)
            : new String(bytes, ISO_8859_1);
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), ISO_8859_1).contains(wanted)) {
          return true;
        }
      }
      return false;
    } catch (IOException | UncheckedIOException e) {
      return true;
    }
  }

  /** All records of a store's segments. */
  private static String decompressed(Path data) throws IOException {
    List<Path> segments = new ArrayList<>();
    for (Path file : Filesystem.real().list(data.resolve("store"))) {
      if (file.toString().endsWith(".flushed")) {
        segments.add(file);
      }
    }
    var records = new StringBuilder();
    for (Path file : segments) {
      try (var open = Filesystem.real().open(file);
          var batches = new SegmentBatches(StoreSegment.open(open))) {
        @Nullable Batch next;
        while ((next = batches.next()) != null) {
          records.append(ISO_8859_1.decode(next.payload().duplicate()));
        }
      }
    }
    return records.toString();
  }
}
