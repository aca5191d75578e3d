package io.cordwood.ingest.unconsumed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.View;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import io.cordwood.ingest.segment.PendingSegment;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What queries see of an ingest node while its segments go through their states. */
final class UnconsumedSegmentsTest {
  /** Flushed only when a connection ends. */
  private static final Duration NEVER = Duration.ofHours(1);

  @TempDir private Path folder;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private RunningNode slowlyFlushed() throws IOException {
    IngestOptions options =
        RunningNode.options(folder)
            .with(new IngestOptions.Flushing(16 << 20, NEVER, Duration.ofMillis(5), 64));
    return new RunningNode(options);
  }

  private static List<Batch> batches(View view) throws IOException {
    return SegmentFiles.merged(view.segments());
  }

  /** The records of a segment. */
  static String text(Segment segment) throws IOException {
    return RunningNode.text(SegmentFiles.merged(List.of(segment)));
  }

  private static String text(SegmentSource source) throws IOException {
    try (View view = source.view(UlidRange.ALL)) {
      return RunningNode.text(batches(view));
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void linesAreSeenWhileTheirSegmentIsActive() throws IOException {
    try (RunningNode node = slowlyFlushed();
        Socket socket = node.connect()) {
      write(socket, "one\ntwo\n");
      await().until(() -> text(node.node.unconsumed()).equals("one\ntwo\n"));
      write(socket, "three\n");
      await().until(() -> text(node.node.unconsumed()).equals("one\ntwo\nthree\n"));
      assertThat(node.files()).singleElement().asString().endsWith(".active");
    }
  }

  @Test
  void segmentsAreSeenFlushedAndPendingAndAreGoneOnceCommitted() throws Exception {
    try (RunningNode node = RunningNode.in(folder)) {
      node.send("one\n");
      await().until(() -> node.log().claims().waiting() == 1);
      assertThat(text(node.node.unconsumed())).isEqualTo("one\n");
      PendingSegment claimed = node.claim(Duration.ZERO).orElseThrow();
      assertThat(text(node.node.unconsumed())).isEqualTo("one\n");
      node.log().claims().fail(claimed.id());
      assertThat(text(node.node.unconsumed())).isEqualTo("one\n");
      assertThat(node.claim(Duration.ZERO)).isPresent();
      node.log().claims().commit(claimed.id());
      assertThat(text(node.node.unconsumed())).isEmpty();
    }
  }

  @Test
  void aViewReadsOnWhenItsSegmentsAreCommitted() throws IOException {
    try (RunningNode node = RunningNode.in(folder)) {
      node.send("one\n");
      await().until(() -> node.log().claims().waiting() == 1);
      try (View view = node.node.unconsumed().view(UlidRange.ALL)) {
        assertThat(node.consume(1)).hasSize(1);
        assertThat(node.files()).isEmpty();
        assertThat(RunningNode.text(batches(view))).isEqualTo("one\n");
        assertThat(openFiles(node)).isEqualTo(1);
      }
      assertThat(openFiles(node)).isZero();
    }
  }

  private static double openFiles(RunningNode node) {
    return openFiles(node.registry);
  }

  private static double openFiles(SimpleMeterRegistry registry) {
    return registry.get("cordwood_ingest_view_files").gauge().value();
  }

  @Test
  void aViewHoldsOnlySegmentsThatOverlapItsRange() throws IOException {
    try (RunningNode node = RunningNode.in(folder)) {
      node.send("one\n");
      for (int look = 0; look < 2; look++) {
        try (View none = node.node.unconsumed().view(new UlidRange(Ulid.MIN, Ulid.firstOf(5)))) {
          assertThat(none.segments()).isEmpty();
          assertThat(openFiles(node)).isZero();
        }
        await().until(() -> node.log().claims().waiting() == 1);
      }
    }
  }

  @Test
  void whatAPreviousProcessLeftIsSeen() throws IOException {
    try (RunningNode before = RunningNode.in(folder)) {
      before.send("one\n");
    }
    try (RunningNode node = RunningNode.in(folder)) {
      assertThat(text(node.node.unconsumed())).isEqualTo("one\n");
    }
  }

  /** Segments of one line each, flushed. */
  private static List<String> fill(RunningNode node, int segments) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < segments; i++) {
      lines.add("line " + i);
      node.send("line " + i + "\n");
      int waiting = i + 1;
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> node.log().claims().waiting() == waiting);
    }
    return lines;
  }

  private UnconsumedSegments with(RunningNode node, int files, long bytes) {
    return new UnconsumedSegments(
        node.log(),
        new ViewRoom(files, new ByteBudget(bytes), meters),
        meters,
        InstantSource.system());
  }

  @Test
  void moreSegmentsThanFilesMayBeOpenAreReadToTheirEndThoughTheyAreCommitted() throws IOException {
    try (RunningNode node = RunningNode.in(folder);
        UnconsumedSegments few = with(node, 2, Long.MAX_VALUE)) {
      List<String> lines = fill(node, 6);
      try (View one = few.view(UlidRange.ALL)) {
        try (View other = few.view(UlidRange.ALL)) {
          assertThat(lines(other)).containsExactlyElementsOf(lines);
          assertThat(openFiles(meters)).isEqualTo(2);
          assertThat(node.consume(lines.size())).hasSize(lines.size());
          assertThat(lines(other)).containsExactlyElementsOf(lines);
        }
        assertThat(lines(one)).as("another view still holds them").containsExactlyElementsOf(lines);
        assertThat(one.lack()).isEmpty();
        assertThat(few.view(UlidRange.ALL).segments()).as("committed ones").isEmpty();
      }
      assertThat(node.files()).isEmpty();
      assertThat(openFiles(meters)).isZero();
    }
  }

  @Test
  void whatASegmentThatWasGivenBackAndClaimedAgainHoldsIsReadThroughAllThat() throws Exception {
    try (RunningNode node = RunningNode.in(folder);
        UnconsumedSegments none = with(node, 0, Long.MAX_VALUE)) {
      List<String> lines = fill(node, 1);
      try (View view = none.view(UlidRange.ALL)) {
        Ulid id = node.claim(Duration.ZERO).orElseThrow().id();
        assertThat(lines(view)).containsExactlyElementsOf(lines);
        node.log().claims().fail(id);
        assertThat(lines(view)).containsExactlyElementsOf(lines);
        assertThat(openFiles(meters)).isZero();
      }
      assertThat(node.files()).singleElement().asString().endsWith(".flushed");
    }
  }

  @Test
  void segmentsThatDoNotFitIntoMemoryAreLackingTheOldestFirst() throws IOException {
    try (RunningNode node = RunningNode.in(folder)) {
      List<String> lines = fill(node, 4);
      long twoSegments = 2 * (3 * 150 + 8);
      try (UnconsumedSegments little = with(node, 100, twoSegments);
          View view = little.view(UlidRange.ALL)) {
        assertThat(lines(view)).containsExactlyElementsOf(lines.subList(2, 4));
        SegmentSource.Lack lack = view.lack().orElseThrow();
        assertThat(lack.reason()).startsWith("2 segments that wait for a store do not fit");
        for (Segment held : view.segments()) {
          assertThat(held.range().from()).isGreaterThan(lack.range().to());
        }
        assertThat(meters.get("cordwood_ingest_views_cut_total").counter().count()).isPositive();
        assertThat(meters.get("cordwood_ingest_view_bytes").gauge().value()).isEqualTo(twoSegments);
        try (View early = little.view(lack.range())) {
          assertThat(early.lack()).as("the room is another view's").isPresent();
        }
      }
      try (UnconsumedSegments little = with(node, 100, twoSegments)) {
        UlidRange rest;
        try (View all = little.view(UlidRange.ALL)) {
          rest = all.lack().orElseThrow().range();
        }
        try (View early = little.view(rest)) {
          assertThat(lines(early)).containsExactlyElementsOf(lines.subList(0, 2));
          assertThat(early.lack()).isEmpty();
        }
      }
    }
  }

  private static List<String> lines(View view) throws IOException {
    return RunningNode.text(batches(view)).lines().toList();
  }

  /**
   * Lines move from the node to a store all the time: claimed, now and then given back, shown by
   * the store, committed. No look at both may lack a line that was written before it.
   */
  @Test
  void noBatchIsMissedOnItsWayFromIngestToStore() throws Exception {
    Set<String> stored = ConcurrentHashMap.newKeySet();
    try (RunningNode node = RunningNode.in(folder);
        var threads = Executors.newSingleThreadExecutor()) {
      var stop = new CompletableFuture<Void>();
      var consumer = threads.submit(() -> consume(node, stored, stop));
      Set<String> written = new HashSet<>();
      for (int i = 0; i < 150; i++) {
        String line = "line " + i;
        node.send(line + "\n");
        written.add(line);
        Set<String> seen = new HashSet<>(text(node.node.unconsumed()).lines().toList());
        seen.addAll(stored);
        assertThat(seen).containsAll(written);
      }
      stop.complete(null);
      consumer.get();
    }
  }

  private static Void consume(RunningNode node, Set<String> stored, CompletableFuture<Void> stop)
      throws Exception {
    for (int round = 0; !stop.isDone(); round++) {
      var claimed = node.claim(Duration.ofMillis(1));
      if (claimed.isPresent() && round % 4 == 0) {
        node.log().claims().fail(claimed.get().id());
      } else if (claimed.isPresent()) {
        Ulid id = claimed.get().id();
        try (var file = node.log().claims().read(id)) {
          RunningNode.text(RunningNode.batches(file)).lines().forEach(stored::add);
        }
        node.log().claims().commit(id);
      }
    }
    return null;
  }
}
