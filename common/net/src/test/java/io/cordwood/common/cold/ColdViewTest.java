package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.bucket.S3Server;
import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries get of a bucket what they read, in few requests, and share what they read of it first.
 */
final class ColdViewTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final int BLOCKS = 60;

  @TempDir private Path folder;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private S3Server server;
  private FaultyBucket bucket;
  private ColdReader reader;

  /** An object of blocks of some 30 KB, each of another topic. */
  @BeforeEach
  void open() throws IOException {
    server = new S3Server();
    bucket = new FaultyBucket(server.open("p"));
    List<Batch> batches = new ArrayList<>();
    var random = new Random(47);
    byte[] bytes = new byte[30_000];
    for (int i = 0; i < BLOCKS; i++) {
      random.nextBytes(bytes);
      Ulid first = Ulid.firstOf(NOON.plusSeconds(i).toEpochMilli());
      String line = Base64.getEncoder().encodeToString(bytes);
      batches.add(Records.lines(new Topic("t%02d".formatted(i)), first, line));
    }
    Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
    var _ = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
    reader = reader("reader", 1000);
  }

  private ColdReader reader(String name, long maxRequests) throws IOException {
    return new ColdReader(
        bucket,
        new ColdReader.Options(folder.resolve(name), 64 << 20, maxRequests),
        InstantSource.system(),
        System::nanoTime,
        new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    reader.close();
    bucket.close();
    server.close();
  }

  private long gets() {
    return bucket.requests().count(Verb.GET);
  }

  private ColdView view() throws IOException {
    return reader.view(UlidRange.ALL, () -> false);
  }

  /** Each so many blocks. */
  private static List<BlockInfo> each(Segment segment, int step) throws IOException {
    List<BlockInfo> blocks = segment.blocks();
    assertThat(blocks).hasSize(BLOCKS);
    return IntStream.range(0, BLOCKS / step).mapToObj(i -> blocks.get(i * step)).toList();
  }

  private static int read(Segment segment, List<BlockInfo> blocks) throws IOException {
    int read = 0;
    try (var decoder = new BlockDecoder()) {
      for (BlockInfo block : blocks) {
        segment.willReadSoon(block);
      }
      for (BlockInfo block : blocks) {
        read += segment.read(block, decoder).topic().equals(block.topic()) ? 1 : 0;
      }
    }
    return read;
  }

  @Test
  void whatLiesCloseTogetherIsOneRequestAndItIsKnownBefore() throws IOException {
    for (int step : new int[] {1, 4, 10}) {
      try (ColdView view = view()) {
        Segment segment = view.segments().getFirst();
        List<BlockInfo> blocks = each(segment, step);
        segment.willRead(blocks);
        ColdView.Reading planned = view.reading();
        long requests = gets();
        assertThat(read(segment, blocks)).isEqualTo(blocks.size());
        assertThat(gets() - requests).isEqualTo(planned.requests());
        assertThat(planned.requests()).isEqualTo(step == 10 ? 6 : 2);
        long blockBytes = blocks.stream().mapToLong(BlockInfo::storedBytes).sum();
        if (step == 4) {
          assertThat(planned.bytes()).isGreaterThan(3 * blockBytes);
        } else {
          assertThat(planned.bytes()).isEqualTo(blockBytes);
        }
      }
    }
  }

  @Test
  void whatIsGotIsCountedAndGivenBackWhenItWasReadOrIsNotWanted() throws IOException {
    var fetcher = new ColdFetcher(bucket, new ByteBudget(8 << 20), meters);
    try (ColdView view = view(fetcher)) {
      Segment segment = view.segments().getFirst();
      List<BlockInfo> blocks = each(segment, 4);
      segment.willRead(blocks);
      assertThat(read(segment, blocks)).isEqualTo(blocks.size());
      assertThat(count("joined.blocks")).isEqualTo(blocks.size() - 2);
      assertThat(count("gap.bytes")).isPositive();
      assertThat(held()).isZero();
      segment.willRead(blocks);
      segment.willReadSoon(blocks.getFirst());
      assertThat(held()).isPositive();
    }
    await().until(() -> held() == 0);
    fetcher.close();
  }

  private ColdView view(ColdFetcher fetcher) throws IOException {
    var view =
        new ColdView(UlidRange.ALL, 1000, () -> {}, () -> {}, _ -> {}, fetcher, LeftOut.NOTHING);
    ColdObject object = reader.catalogue().find(UlidRange.ALL).objects().getFirst();
    view.add(object, reader.open(object), false);
    return view;
  }

  private double count(String name) {
    return meters.get("cordwood.cold." + name).counter().count();
  }

  private double held() {
    return meters.get("cordwood.cold.fetched.bytes").gauge().value();
  }

  @Test
  void withoutMemoryBlocksComeOneByOne() throws IOException {
    var fetcher = new ColdFetcher(bucket, new ByteBudget(1000), meters);
    try (ColdView view = view(fetcher)) {
      Segment segment = view.segments().getFirst();
      segment.willRead(segment.blocks());
      long before = gets();
      assertThat(read(segment, segment.blocks())).isEqualTo(BLOCKS);
      assertThat(gets() - before).isEqualTo(BLOCKS);
      assertThat(count("unjoined.blocks")).isEqualTo(BLOCKS);
    }
    fetcher.close();
  }

  @Test
  void aRangeThatFailsIsLackingAndNoOther() throws IOException {
    try (ColdView view = view();
        var decoder = new BlockDecoder()) {
      Segment segment = view.segments().getFirst();
      List<BlockInfo> blocks = segment.blocks();
      segment.willRead(blocks);
      bucket.readsNothing = true;
      assertThatThrownBy(() -> segment.read(blocks.getFirst(), decoder))
          .isInstanceOf(BucketException.class)
          .hasMessage("expected: 503");
      bucket.readsNothing = false;
      assertThat(segment.read(blocks.getLast(), decoder).topic().name()).isEqualTo("t59");
      assertThat(view.lack().orElseThrow().range()).isEqualTo(blocks.getFirst().range());
    }
  }

  @Test
  void theMostRequestsAreOfRangesToo() throws IOException {
    try (ColdReader bounded = reader("bounded", 4);
        ColdView view = bounded.view(UlidRange.ALL, () -> false);
        var decoder = new BlockDecoder()) {
      Segment segment = view.segments().getFirst();
      List<BlockInfo> blocks = each(segment, 10);
      segment.willRead(blocks);
      for (BlockInfo block : blocks.subList(0, 3)) {
        assertThat(segment.read(block, decoder).topic()).isEqualTo(block.topic());
      }
      assertThatThrownBy(() -> segment.read(blocks.get(3), decoder))
          .hasMessage("stopped after 4 requests to the bucket");
      assertThat(view.requests()).isEqualTo(4);
    }
  }

  /** Two views at once, of which the first to ask for a tail waits until both are waiting. */
  private List<ColdView> two(boolean firstFails) throws Exception {
    var tails = new AtomicInteger();
    var both = new CountDownLatch(1);
    var fails = new AtomicBoolean(firstFails);
    bucket.beforeTail =
        key -> {
          if (!key.contains("/")) { // what names the place
            return;
          }
          tails.incrementAndGet();
          awaitLatch(both);
          if (fails.getAndSet(false)) {
            throw new BucketException(Kind.UNREACHABLE, "expected: 503");
          }
        };
    List<Thread> threads = new ArrayList<>();
    try (ExecutorService queries =
        Executors.newFixedThreadPool(
            2,
            it -> {
              var thread = new Thread(it);
              threads.add(thread);
              return thread;
            })) {
      Future<ColdView> one = queries.submit(() -> view());
      Future<ColdView> other = queries.submit(() -> view());
      await()
          .until(() ->
              threads.stream().allMatch(it -> it.getState() == Thread.State.WAITING)
                  && tails.get() == 1);
      both.countDown();
      List<ColdView> views = List.of(one.get(), other.get());
      assertThat(tails).hasValue(firstFails ? 2 : 1);
      return views;
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void ofTwoQueriesOneGetsATailForBoth() throws Exception {
    for (ColdView view : two(false)) {
      assertThat(view.segments()).hasSize(1);
      assertThat(view.lack()).isEmpty();
      view.close();
    }
  }

  @Test
  void aTailThatOneDidNotGetIsGotByTheOther() throws Exception {
    List<ColdView> views = two(true);
    assertThat(views.stream().map(it -> it.segments().size()).sorted()).containsExactly(0, 1);
    assertThat(views.stream().filter(it -> it.lack().isPresent()).count()).isEqualTo(1);
    views.forEach(ColdView::close);
  }
}
