package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdEnds;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.cold.PlaceMoves;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.Tier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a bucket has is found by who reads it, and missed by who does not. */
final class ColdTierTest {
  private static final Instant FIRST = Instant.parse("2026-11-24T12:00:00Z");
  private static final Instant SECOND = Instant.parse("2026-11-25T12:00:00Z");
  private static final SegmentSource EMPTY = _ -> new Held(List.of(), List.of());
  private static final UlidRange GONE =
      new UlidRange(Ulid.MIN, Ulid.lastOf(FIRST.plusSeconds(60).toEpochMilli()));

  @TempDir private Path folder;
  private final TestCluster cluster = new TestCluster(1);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<ColdReader> readers = new ArrayList<>();
  private FaultyBucket bucket;
  private Instant wall = Instant.now();
  private long nanos;
  private long maxRequests = 1000;

  /** Some segments, and what went of others. */
  private record Held(List<? extends Segment> segments, List<Evicted> evicted)
      implements SegmentSource.View {
    @Override
    public void close() {}
  }

  @BeforeEach
  void open() throws IOException {
    bucket = new FaultyBucket(BucketUrl.parse(folder.resolve("cold").toUri().toString()).open());
    upload(batches(FIRST));
    upload(batches(SECOND));
  }

  @AfterEach
  void stop() {
    cluster.close();
    readers.forEach(ColdReader::close);
    bucket.close();
  }

  private static List<Batch> batches(Instant from) {
    return ColdSegments.batches(new Topic("shop"), from, 20);
  }

  private void upload(List<Batch> batches) throws IOException {
    byte[] settled = ColdSegments.settled(batches);
    Path file = Files.write(folder.resolve("settled"), settled);
    var _ = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
  }

  private ColdReader reader(String name) throws IOException {
    return reader(name, bucket);
  }

  private ColdReader reader(String name, Bucket of) throws IOException {
    var reader =
        new ColdReader(
            of,
            new ColdReader.Options(folder.resolve(name), 1 << 20, maxRequests),
            () -> wall,
            () -> nanos,
            meters);
    readers.add(reader);
    return reader;
  }

  private Node store(SegmentSource stored) throws IOException {
    return cluster.add(
        "store",
        new LocalRecords(Optional.empty(), Optional.of(stored), Optional.of(reader("reader"))));
  }

  private static void isComplete(Answer answer, int matches) {
    assertThat(answer.field("missing")).isNull();
    assertThat(answer.field("verdict")).isEqualTo("complete");
    assertThat(answer.field("matches")).isEqualTo(Integer.toString(matches));
  }

  private static void isDoubtful(Answer answer, String why) {
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing")).contains(why);
  }

  private long gets() {
    return bucket.requests().count(Verb.GET);
  }

  @Test
  void aStoreOnAnEmptyDiskAnswersForAllThatTheBucketHas() throws IOException {
    Node store = store(EMPTY);
    Answer all = store.get("/query");
    isComplete(all, 400);
    assertThat(all.text().lines()).hasSize(400);
    isComplete(store.get("/query?q=order+37+of&from=2026-11-25T00:00:00Z"), 1);
    isComplete(store.get("/query?last=3"), 3);
    assertThat(store.get("/query?count=true").text()).isEqualTo("400\n");
    assertThat(store.get("/topics").text()).startsWith("shop 400 ");
    assertThat(store.get("/histogram?buckets=2").text()).contains("200");
  }

  @Test
  void topicsAndLabelsThatTheBucketAloneHasAreNamedWithTheirSums() throws IOException {
    List<Batch> labelled = new ArrayList<>();
    for (Batch each : ColdSegments.batches(new Topic("audit"), FIRST, 20)) {
      String pod = labelled.size() < 5 ? "web-1" : "web-2";
      labelled.add(each.labelled(Labels.of(Map.of("pod", pod))));
    }
    upload(labelled);
    Node store = store(EMPTY);
    Answer topics = store.get("/topics");
    assertThat(topics.field("verdict")).isEqualTo("complete");
    assertThat(topics.text().lines()).hasSize(2);
    assertThat(topics.text())
        .startsWith("audit 200 ")
        .contains("2026-11-24T12:00:00Z 2026-11-24T12:00:19Z\nshop 400 ");
    long requests = gets();
    assertThat(store.get("/labels").text()).matches("200\t\\d+\t[^\n]*\tpod\n");
    Answer pods = store.get("/labels?name=pod");
    assertThat(pods.field("verdict")).isEqualTo("complete");
    assertThat(pods.text()).matches("50\t[^\n]*\tweb-1\n150\t[^\n]*\tweb-2\n");
    assertThat(store.get("/topics?from=2026-11-25").text()).startsWith("shop 200 ");
    assertThat(gets()).isEqualTo(requests);
    bucket.tailsNothing = true;
    Node again =
        cluster.add(
            "again",
            new LocalRecords(Optional.empty(), Optional.of(EMPTY), Optional.of(reader("again"))));
    isDoubtful(again.get("/topics"), "expected: 503");
    isDoubtful(again.get("/labels"), "expected: 503");
  }

  @Test
  void whatAStoreStillHoldsIsAnsweredOnce() throws IOException {
    StoreSegment held =
        StoreSegment.open(SegmentFiles.file(SegmentFiles.storeSegment(batches(FIRST))));
    Node store = store(_ -> new Held(List.of(held), List.of()));
    Answer all = store.get("/query");
    isComplete(all, 400);
    assertThat(all.text().lines()).hasSize(400);
    assertThat(store.get("/query?count=true").text()).isEqualTo("400\n");
    assertThat(store.get("/histogram?buckets=2").text()).contains("200");
    held.release();
  }

  @Test
  void anAbsentStringAndAYoungRangeCostNoRequest() throws IOException {
    Node store = store(EMPTY);
    isComplete(store.get("/query?q=no+such+words+at+all"), 0);
    long before = gets();
    assertThat(before).isEqualTo(10); // Four of uploads, and the mark and its moves twice.
    isComplete(store.get("/query?q=no+such+words+at+all"), 0);
    assertThat(gets()).isEqualTo(before);
    long lists = bucket.requests().count(Verb.LIST);
    isComplete(store.get("/query?from=5m+ago"), 0);
    assertThat(bucket.requests().count(Verb.LIST)).isEqualTo(lists);
  }

  @Test
  void tailsAreKeptOverARestart() throws IOException {
    Node store = store(EMPTY);
    isComplete(store.get("/query?q=no+such+words+at+all"), 0);
    long before = gets();
    Node again =
        cluster.add(
            "again",
            new LocalRecords(Optional.empty(), Optional.of(EMPTY), Optional.of(reader("reader"))));
    isComplete(again.get("/query?q=no+such+words+at+all"), 0);
    assertThat(gets()).isEqualTo(before + 4); // The mark and its moves, twice.
  }

  @Test
  void aListOfMountedElsewhereIsNotThatOfTheStore() throws IOException {
    BucketPlace here = reader("place").marked().orElseThrow();
    Node store = store(evictedTo(here.toString()));
    isComplete(store.get("/query"), 400);
    Path mark = folder.resolve("cold/place");
    Files.writeString(mark, UUID.randomUUID() + "\n");
    isComplete(store.get("/query"), 400); // By the list of before.
    nanos += Duration.ofMinutes(31).toNanos();
    isDoubtful(store.get("/query"), "#");
  }

  @Test
  void aListIsNotReliedOnForLongerThanAStoreWaits() throws IOException {
    BucketPlace here = reader("place").marked().orElseThrow();
    var place = Optional.of(here);
    var gone = List.of(new Evicted(GONE, here.toString()));
    var holder = new PartialResult.Holder("store", Tier.STORE);
    var part = new EvictedPart(true, place, 1000);
    assertThat(part.missing(holder, gone, 999)).isEmpty();
    assertThat(part.missing(holder, gone, 1001))
        .hasValueSatisfying(it -> assertThat(it.reason()).contains("since the list of it"));
  }

  @Test
  void aListIsAsOldAsTheClockSaysThoughTheMachineSlept() throws IOException {
    Node store = store(EMPTY);
    isComplete(store.get("/query"), 400);
    long before = bucket.requests().count(Verb.LIST);
    isComplete(store.get("/query"), 400);
    assertThat(bucket.requests().count(Verb.LIST)).isEqualTo(before);
    wall = wall.plus(Duration.ofMinutes(31));
    isComplete(store.get("/query"), 400);
    assertThat(bucket.requests().count(Verb.LIST)).isGreaterThan(before);
  }

  @Test
  void aListThatShrinksIsAFailedList() throws IOException {
    Node store = store(EMPTY);
    isComplete(store.get("/query"), 400);
    bucket.hides = key -> key.contains("2026-11-24");
    isComplete(store.get("/query"), 400);
    nanos += Duration.ofMinutes(31).toNanos();
    Answer shrunk = store.get("/query");
    isDoubtful(shrunk, "lacks 1 objects that were listed before");
    assertThat(shrunk.text().lines()).hasSize(400);
    isDoubtful(store.get("/query"), "lacks 1 objects");
    isComplete(store.get("/query?from=2026-11-25T00:00:00Z"), 200);
    assertThat(meters.get("cordwood.cold.lists.refused").counter().count()).isEqualTo(1);
    Node again =
        cluster.add(
            "again",
            new LocalRecords(Optional.empty(), Optional.of(EMPTY), Optional.of(reader("reader"))));
    isDoubtful(again.get("/query"), "lacks 1 objects that were listed before");
    bucket.hides = _ -> false;
    nanos += Duration.ofMinutes(31).toNanos();
    isComplete(store.get("/query"), 400);
  }

  @Test
  void whatIsNamedAsOverIsAnsweredAsLongAsItIsThereAndNotMissedAfterIt() throws IOException {
    Node store = store(EMPTY);
    isComplete(store.get("/query"), 400);
    ColdName over = ColdList.of(bucket, UlidRange.ALL).objects().getFirst().name();
    ColdEnds.put(bucket, over.day(), List.of(over));
    nanos += Duration.ofMinutes(31).toNanos();
    isComplete(store.get("/query?q=order+37+of"), 2);
    bucket.delete(over.key());
    isComplete(store.get("/query"), 200);
    Node again =
        cluster.add(
            "again",
            new LocalRecords(Optional.empty(), Optional.of(EMPTY), Optional.of(reader("again"))));
    isComplete(again.get("/query"), 200);
    nanos += Duration.ofMinutes(31).toNanos();
    isComplete(store.get("/query"), 200);
    assertThat(meters.get("cordwood.cold.lists.refused").counter().count()).isZero();
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    Node store = store(EMPTY);
    bucket.listsNothing = true;
    isDoubtful(store.get("/query"), "expected: 503");
    bucket.listsNothing = false;
    bucket.tailsNothing = true;
    Answer noTails = store.get("/query");
    isDoubtful(noTails, "expected: 503");
    assertThat(noTails.field("missing")).contains("cold store 2026-11-24");
    bucket.tailsNothing = false;
    bucket.readsNothing = true;
    isDoubtful(store.get("/query"), "expected: 503");
    isComplete(store.get("/query?q=no+such+words+at+all"), 0);
    bucket.readsNothing = false;
    bucket.flipsBytes = true;
    isDoubtful(store.get("/query"), "parts of the bucket were not read");
    bucket.flipsBytes = false;
    isComplete(store.get("/query"), 400);
  }

  @Test
  void aSearchEndsAfterSomeRequests() throws IOException {
    maxRequests = 3;
    Answer stopped = store(EMPTY).get("/query");
    isDoubtful(stopped, "stopped after 3 requests to the bucket");
    assertThat(stopped.text().lines()).hasSize(200);
    assertThat(meters.get("cordwood.cold.searches.stopped").counter().count()).isEqualTo(1);
  }

  @Test
  void whoDoesNotReadTheBucketSaysWhatHeLacks() throws IOException {
    SegmentSource evicted = evictedTo(reader("place").marked().orElseThrow().toString());
    Node store = store(evicted);
    isComplete(store.get("/query"), 400);
    Node other = cluster.query("other");
    isDoubtful(other.get("/query"), "records are in a bucket");
    Node alone = new TestCluster(1).store("alone", evicted);
    isDoubtful(alone.get("/query"), "records are in a bucket");
    alone.close();
    isComplete(other.get("/query?from=2026-11-26T00:00:00Z"), 0);
  }

  private static SegmentSource evictedTo(String... places) {
    return range ->
        new Held(
            List.of(),
            Stream.of(places)
                .flatMap(place -> new Evicted(GONE, place).in(range).stream())
                .toList());
  }

  private Bucket another(Path at) throws IOException {
    Bucket other = BucketUrl.parse(at.toUri().toString()).open();
    Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches(FIRST)));
    var _ = ColdUpload.put(other, file, ColdName.USUAL_CLASS);
    return other;
  }

  @Test
  void aPlanSaysWhatASearchWouldTakeOfTheBucket() throws IOException {
    Node store = store(EMPTY);
    Answer all = store.ask("HEAD", "/query");
    assertThat(all.field("bucket-objects")).isEqualTo("2");
    long bytes = Long.parseLong(String.valueOf(all.field("bucket-bytes")));
    long before = gets();
    Answer absent = store.ask("HEAD", "/query?q=no+such+words+at+all");
    assertThat(absent.field("bucket-requests")).isEqualTo("0");
    assertThat(gets()).isEqualTo(before);
    isComplete(store.get("/query"), 400);
    assertThat(all.field("bucket-requests")).isEqualTo(Long.toString(gets() - before));
    assertThat(bytes).isPositive();
  }

  @Test
  void anotherPlaceThanThatOfTheStoreIsDoubted() throws IOException {
    BucketPlace here = reader("place").marked().orElseThrow();
    BucketPlace there = reader("there", another(folder.resolve("there"))).marked().orElseThrow();
    Node same = store(evictedTo(here.toString()));
    isComplete(same.get("/query"), 400);
    var _ = cluster.store("elsewhere", evictedTo(here.toString(), there.toString()));
    Answer both = same.get("/query");
    isDoubtful(both, "records are in " + there.url() + ", and searched was " + here.url());
    assertThat(both.text().lines()).hasSize(400);
    isComplete(same.get("/query?from=2026-11-26T00:00:00Z"), 0);
  }

  @Test
  void aPlaceThatWasMovedIsTheOneItWasOnceThatIsSaidThere() throws IOException {
    BucketPlace here = reader("place").marked().orElseThrow();
    Node store = store(evictedTo("s3://old/logs#" + here.mark()));
    isDoubtful(store.get("/query"), "records are in s3://old/logs, and searched was " + here.url());
    PlaceMoves.note(bucket, "s3://middle/logs");
    Files.writeString(
        folder.resolve("cold/moved"),
        "s3://old/logs s3://middle/logs\ns3://other/logs s3://third/logs\n",
        StandardOpenOption.APPEND);
    nanos += Duration.ofMinutes(31).toNanos();
    isComplete(store.get("/query"), 400);
    Node copied = store(evictedTo("s3://other/logs#" + here.mark()));
    isDoubtful(copied.get("/query"), "records are in s3://other/logs");
    Node another = store(evictedTo("s3://old/logs#" + UUID.randomUUID()));
    isDoubtful(another.get("/query"), "records are in s3://old/logs");
  }

  @Test
  void theSameAddressIsNotTheSamePlaceIfItsMarkIsAnother() throws IOException {
    String mounted = reader("place").marked().orElseThrow().toString();
    Path mark = folder.resolve("cold/place");
    Files.writeString(mark, UUID.randomUUID() + "\n");
    isDoubtful(store(evictedTo(mounted)).get("/query"), "#");
  }

  @Test
  void whoDoesNotSayWhereOrHasNoMarkIsDoubted() throws IOException {
    String here = reader("place").marked().orElseThrow().toString();
    Node older = store(evictedTo(""));
    isDoubtful(older.get("/query"), "records are in a bucket that is not known");
    Files.delete(folder.resolve("cold/place"));
    TestCluster unmarked = new TestCluster(1);
    Node node =
        unmarked.add(
            "unmarked",
            new LocalRecords(
                Optional.empty(), Optional.of(evictedTo(here)), Optional.of(reader("unmarked"))));
    isDoubtful(node.get("/query"), "and searched was a bucket without a mark");
    unmarked.close();
  }
}
