package io.cordwood.cli.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.EncryptionKeyFiles;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.fields.Where;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Topics;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bucket is searched without a node, and what cannot be there is not read. */
final class ColdSearchTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
  private static final int OBJECTS = 4;

  @TempDir private Path folder;
  private String url;
  private Bucket bucket;

  /** Two days, each with an object of either topic, which overlap in time. */
  @BeforeEach
  void fill() throws IOException {
    url = folder.resolve("cold").toUri().toString();
    bucket = BucketUrl.parse(url).open();
    fill(bucket);
  }

  private void fill(Bucket place) throws IOException {
    for (int i = 0; i < OBJECTS; i++) {
      Instant from = NOON.plusSeconds(86_400L * (i / 2)).plusMillis(500L * (i % 2));
      var batches = ColdSegments.batches(new Topic(i % 2 == 0 ? "shop" : "audit"), from, 20);
      Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
      ColdUpload.put(place, file, "all");
    }
  }

  @AfterEach
  void close() {
    bucket.close();
  }

  private static Query query(String pattern, boolean invert, List<String> topics) {
    PatternSpec spec = PatternSpec.literal(pattern);
    return Query.matching(
        spec,
        Where.NONE,
        Matchers.compile(spec),
        invert,
        UlidRange.ALL,
        Topics.parse(topics),
        Query.Detail.ULIDS);
  }

  private ColdSearch search(Query query, long maxRequests) throws IOException {
    return new ColdSearch(bucket, query, maxRequests);
  }

  private List<String> found(Query query) throws IOException {
    List<String> found = new ArrayList<>();
    HitSink sink =
        (hits, group) -> {
          for (int hit = group.from(); hit < group.to(); hit++) {
            found.add(
                "%s %s %s"
                    .formatted(
                        hits.ulid(group, hit).time(),
                        hits.topic(),
                        hits.text(hit, StandardCharsets.UTF_8)));
          }
          return true;
        };
    try (ColdSearch search = search(query, 1_000)) {
      ColdSearch.Outcome outcome = search.run(sink);
      assertThat(outcome.lack()).isEmpty();
      assertThat(outcome.matches()).isEqualTo(found.size());
    }
    return found;
  }

  @Test
  void recordsComeInTheOrderOfTheirTime() throws IOException {
    assertThat(found(query("order 37 ", false, List.of())))
        .containsExactly(
            "2026-11-26T12:00:03Z shop order 37 of a shop",
            "2026-11-26T12:00:03.500Z audit order 37 of a shop",
            "2026-11-27T12:00:03Z shop order 37 of a shop",
            "2026-11-27T12:00:03.500Z audit order 37 of a shop");
    List<String> all = found(query("", false, List.of()));
    assertThat(all)
        .hasSize(OBJECTS * 200)
        .isSortedAccordingTo(Comparator.comparing(ColdSearchTest::time));
  }

  private static Instant time(String line) {
    return Instant.parse(line.substring(0, line.indexOf(' ')));
  }

  @Test
  void topicsAndInvertedPatternsChoose() throws IOException {
    assertThat(found(query("order 37 ", false, List.of("audit")))).hasSize(2);
    assertThat(found(query("order 37 ", true, List.of("audit")))).hasSize(398);
  }

  @Test
  void aTextThatIsNowhereTakesARequestForEachSegmentAndThreeForLists() throws IOException {
    assertThat(found(query("nowhere to be found", false, List.of()))).isEmpty();
    // Beside them the mark and its moves, before the list and after it.
    assertThat(bucket.requests().count(Verb.GET)).isEqualTo(3 * OBJECTS + 4);
    assertThat(bucket.requests().count(Verb.LIST)).isEqualTo(3); // of manifests, segments and ends
  }

  @Test
  void aPlanSaysWhatASearchWouldRead() throws IOException {
    try (ColdSearch search = search(query("order 37 ", false, List.of("shop")), 1_000)) {
      ColdSearch.Plan plan = search.plan();
      assertThat(plan.segments()).isEqualTo(OBJECTS);
      assertThat(plan.blocks()).isEqualTo(2);
      assertThat(plan.candidates()).isEqualTo(2);
      assertThat(plan.reading().requests()).isEqualTo(2);
      assertThat(plan.reading().bytes()).isPositive().isLessThan(plan.segmentBytes());
    }
    try (ColdSearch search = search(query("nowhere to be found", false, List.of()), 1_000)) {
      assertThat(search.plan().candidates()).isZero();
    }
  }

  @Test
  void anEncryptedPlaceIsSearchedByTheSameRequests() throws IOException {
    Bucket plain = bucket;
    long filled = plain.requests().count(Verb.GET);
    Query query = query("order 37 ", false, List.of());
    List<String> expected = found(query);
    long searched = plain.requests().count(Verb.GET);
    ColdSearch.Plan plan;
    try (ColdSearch search = search(query, 1_000)) {
      plan = search.plan();
    }
    Path keys = EncryptionKeyFiles.write(folder.resolve("keys"), EncryptionKeyFiles.ONE);
    try (Bucket encrypted =
        BucketUrl.parse(folder.resolve("encrypted").toUri() + "?key=" + keys).open()) {
      fill(encrypted);
      assertThat(encrypted.requests().count(Verb.GET)).isEqualTo(filled);
      bucket = encrypted;
      assertThat(found(query)).isEqualTo(expected);
      assertThat(encrypted.requests().count(Verb.GET)).isEqualTo(searched);
      try (ColdSearch search = search(query, 1_000)) {
        assertThat(search.plan())
            .usingRecursiveComparison()
            .ignoringFields("receivedBytes")
            .isEqualTo(plan);
      }
    } finally {
      bucket = plain;
    }
  }

  @Test
  void aSearchEndsWithItsRequestsAndSaysSo() throws IOException {
    long before = bucket.requests().count(Verb.GET);
    try (ColdSearch search = search(query("order", false, List.of()), before + 4)) {
      ColdSearch.Outcome outcome = search.run((_, _) -> true);
      assertThat(outcome.lack().orElseThrow())
          .contains("stopped after")
          .contains("records from 2026-11-2");
    }
  }

  @Test
  void theCommandSaysWhetherSomethingWasFound() throws IOException {
    assertThat(run("grep", url, "order 37 ", "-c").code()).isZero();
    assertThat(run("grep", url, "--until", "2026-11-26T13:00:00Z", "nowhere").code()).isOne();
    assertThat(run("grep", url, "--dry-run", "order 37 ").code()).isZero();
    assertThat(run("grep", url, "--gb-price", "1", "order 37 ").err())
        .contains("expected --dry-run with --gb-price");
    assertThat(run("grep", url).err()).contains("expected a PATTERN, found none");
    CommandRun stopped = run("grep", url, "--max-requests", "1", "order");
    assertThat(stopped.code()).isEqualTo(2);
    assertThat(stopped.err()).contains("on may be missing");
  }

  @Test
  void aDamagedBlockIsToldAndTheOthersAreSearched() throws IOException {
    Path first;
    try (Stream<Path> files = Files.walk(folder.resolve("cold"))) {
      first = files.filter(it -> it.toString().endsWith(".cws")).sorted().findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(first);
    for (int i = 16; i < bytes.length; i++) {
      boolean isBlock =
          bytes[i] == (byte) 0xFD
              && bytes[i + 1] == 'C'
              && bytes[i + 2] == 'W'
              && bytes[i + 3] == 'B';
      if (isBlock) {
        bytes[i + 100] ^= 1;
        break;
      }
    }
    Files.write(first, bytes);
    CommandRun found = run("grep", url, "order 37 ", "-c");
    assertThat(found.code()).isEqualTo(2);
    assertThat(found.err())
        .contains("1 parts of the bucket were not read")
        .contains("records may be missing");
  }

  private static CommandRun run(String... words) {
    return CommandRun.of("cold", new ColdCommand(), words);
  }
}
