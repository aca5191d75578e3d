package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.cold.ColdEnds;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdManifests;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What only a bucket has is found by who reads it, and missed by who does not. */
final class ColdTierTest extends ColdTierFixture {
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
    Node again = emptyNode("again", "again");
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
    Node again = emptyNode("again", "reader");
    isComplete(again.get("/query?q=no+such+words+at+all"), 0);
    assertThat(gets()).isEqualTo(before + 4); // The mark and its moves, twice.
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
    isDoubtful(shrunk, "lacks 1 objects that were listed or named before");
    assertThat(shrunk.text().lines()).hasSize(400);
    isDoubtful(store.get("/query"), "lacks 1 objects");
    isComplete(store.get("/query?from=2026-11-25T00:00:00Z"), 200);
    assertThat(meters.get("cordwood.cold.lists.refused").counter().count()).isEqualTo(1);
    Node again = emptyNode("again", "reader");
    isDoubtful(again.get("/query"), "lacks 1 objects that were listed or named before");
    bucket.hides = _ -> false;
    nanos += Duration.ofMinutes(31).toNanos();
    isComplete(store.get("/query"), 400);
  }

  @Test
  void anEmptyDiskMissesWhatIsNamedInTheBucketAndNotListed() throws IOException {
    for (ColdObject object : ColdList.of(bucket, UlidRange.ALL).objects()) {
      ColdManifests.put(bucket, object.name().day(), List.of(object));
    }
    bucket.hides = key -> key.endsWith(".cws") && key.contains("2026-11-24");
    Node store = store(EMPTY);
    Answer shrunk = store.get("/query");
    isDoubtful(shrunk, "lacks 1 objects that were listed or named before");
    assertThat(shrunk.text().lines()).hasSize(400);
    isComplete(store.get("/query?from=2026-11-25T00:00:00Z"), 200);
    assertThat(meters.get("cordwood.cold.lists.refused").counter().count()).isEqualTo(1);
    bucket.hides = _ -> false;
    nanos += Duration.ofMinutes(31).toNanos();
    isComplete(store.get("/query"), 400);
  }

  @Test
  void aManifestThatIsNotGivenMakesItsDayDoubtfulAndNoOther() throws IOException {
    for (ColdObject object : ColdList.of(bucket, UlidRange.ALL).objects()) {
      ColdManifests.put(bucket, object.name().day(), List.of(object));
    }
    bucket.beforeTail =
        key -> {
          if (key.startsWith("named/2026-11-24")) {
            throw new BucketException(Kind.ARCHIVED, "expected: in an archive");
          }
        };
    bucket.hides = key -> key.endsWith(".cws") && key.contains("2026-11-24");
    Node store = store(EMPTY);
    Answer answer = store.get("/query");
    isDoubtful(answer, "unread manifest named/2026-11-24/");
    isDoubtful(answer, "expected: in an archive");
    assertThat(answer.text().lines()).hasSize(200);
    isComplete(store.get("/query?from=2026-11-25T00:00:00Z"), 200);
    assertThat(meters.get("cordwood.cold.unread.manifests").counter().count()).isEqualTo(1);
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
    Node again = emptyNode("again", "again");
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
}
