package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which bucket a store has its records in has to be the one that is searched. */
final class ColdPlacesTest extends ColdTierFixture {
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
    BucketPlace.wasAt(bucket, "s3://middle/logs");
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

  private Bucket another(Path at) throws IOException {
    Bucket other = BucketUrl.parse(at.toUri().toString()).open();
    Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches(FIRST)));
    var _ = ColdUpload.put(other, file, ColdName.USUAL_CLASS);
    return other;
  }
}
