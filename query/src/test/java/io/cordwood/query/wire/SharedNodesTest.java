package io.cordwood.query.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.KnownParts;
import io.cordwood.query.request.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers leave out nodes that the one who asks knows, and no others. */
final class SharedNodesTest {
  private static final long SEED = Long.getLong("cordwood.seed", 1);

  private static KnownNode there(String id) {
    return new KnownNode(id, false, true, KnownNode.IS_THERE, 0);
  }

  private static KnownNode gone(String id) {
    return new KnownNode(id, false, true, 1, 0);
  }

  private static List<KnownNode> allBut(String id, int nodes) {
    return IntStream.range(0, nodes)
        .mapToObj(i -> "cordwood-store-" + i + ".example")
        .filter(it -> !it.equals(id))
        .map(SharedNodesTest::there)
        .toList();
  }

  private static int bytes(List<KnownNode> told) throws IOException {
    var out = new ByteArrayOutputStream();
    new AnswerWriter(out, Query.Detail.BYTES, true).head(Optional.empty(), told);
    return out.size();
  }

  @Test
  void amongAThousandNodesThatKnowEachOtherAnAnswerNamesNone() throws IOException {
    String asks = "cordwood-store-1.example";
    String answers = "cordwood-store-2.example";
    KnownParts parts = SharedNodes.of(allBut(asks, 1_000), Optional.of(there(asks))).orElseThrow();
    List<KnownNode> known = allBut(answers, 1_000);
    assertThat(bytes(known)).isGreaterThan(40_000);
    assertThat(bytes(SharedNodes.without(parts, known, Optional.of(there(answers)))))
        .isLessThan(30);
    assertThat(parts.toString()).hasSizeLessThan(350);
    assertThat(KnownParts.parse(parts.toString())).isEqualTo(parts);
  }

  @Test
  void aNodeMoreIsToldWithFewOthers() throws IOException {
    String asks = "cordwood-query-1.example";
    KnownParts parts = SharedNodes.of(allBut("", 1_000), Optional.empty()).orElseThrow();
    List<KnownNode> known = new ArrayList<>(allBut("cordwood-store-2.example", 1_000));
    known.add(there("new"));
    List<KnownNode> told =
        SharedNodes.without(parts, known, Optional.of(there("cordwood-store-2.example")));
    assertThat(told).contains(there("new")).doesNotContain(there(asks));
    assertThat(bytes(told)).isLessThan(3_000);
  }

  @Test
  void nobodyIsLeftOutWhomTheOneWhoAsksDoesNotKnow() {
    var random = new SplittableRandom(SEED);
    for (int round = 0; round < 2_000; round++) {
      List<KnownNode> asking = drawn(random);
      List<KnownNode> known = drawn(random);
      List<KnownNode> told =
          SharedNodes.of(asking, Optional.of(there("asks")))
              .map(parts -> SharedNodes.without(parts, known, Optional.of(there("answers"))))
              .orElse(known);
      Set<String> there =
          asking.stream()
              .filter(it -> !it.isGone())
              .map(KnownNode::nodeId)
              .collect(Collectors.toSet());
      assertThat(told)
          .as("seed %d, round %d", SEED, round)
          .isSubsetOf(known)
          .containsAll(
              known.stream()
                  .filter(it -> it.isGone() || !there.contains(it.nodeId()))
                  .filter(it -> !it.nodeId().equals("asks"))
                  .toList());
    }
  }

  /** Mostly the same ones, so that parts are often the same. */
  private static List<KnownNode> drawn(SplittableRandom random) {
    List<KnownNode> nodes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int state = random.nextInt(12);
      if (state == 0) {
        nodes.add(gone("node-" + i));
      } else if (state > 1) {
        nodes.add(there("node-" + i));
      }
    }
    if (random.nextInt(4) == 0) {
      nodes.add(gone("node-0"));
    }
    nodes.add(there(random.nextBoolean() ? "asks" : "answers"));
    return nodes;
  }

  @Test
  void aNodeThatSaidSomethingElseOfItsCopiesIsTold() {
    var lacking = new KnownNode("store", false, true, KnownNode.IS_THERE, Long.MAX_VALUE);
    KnownParts parts =
        SharedNodes.of(List.of(there("store"), there("answers")), Optional.empty()).orElseThrow();
    assertThat(SharedNodes.without(parts, List.of(lacking), Optional.of(there("answers"))))
        .containsExactly(lacking);
  }

  @Test
  void whoTakesANodeForThereAndForGoneIsToldAll() {
    assertThat(SharedNodes.of(List.of(there("twin"), gone("twin")), Optional.empty())).isEmpty();
  }
}
