package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.LoneNode;
import io.cordwood.query.SegmentFixture;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch that claims another topic's ULIDs hides nothing, and itself comes once. */
class ClaimedUlidsTest {
  private static final Ulid FIRST = Ulid.firstOf(1_700_000_000_000L);

  private static Batch batch(String topic, String text) {
    return Records.lines(new Topic(topic), FIRST, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&last=9"})
  void neitherHidesTheOther(String parameters) throws IOException {
    Batch own = batch("billing", "paid");
    Batch claiming = batch("zz-hostile", "nothing to see");
    for (long seed = 0; seed < 20; seed++) {
      var fixture = new SegmentFixture(seed, 6, List.of(own, claiming));
      assertThat(ask(fixture, "/query?q=" + parameters)).isEqualTo("paid\nnothing to see\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&last=9"})
  void neitherDoesOneOfOtherLabels(String parameters) throws IOException {
    Batch own = labelled("web-1", "paid");
    Batch claiming = labelled("a-hostile", "nothing to see");
    Batch bare = batch("billing", "of nobody");
    for (List<Batch> arrived :
        List.of(List.of(own, claiming, own, bare), List.of(bare, own, claiming))) {
      SegmentFixture unconsumed = SegmentFixture.unconsumed(List.of(arrived, List.of(own)));
      SegmentFixture fixture =
          arrived.size() > 3 ? unconsumed : new SegmentFixture(3, 4, List.of(own, claiming, bare));
      assertThat(ask(fixture, "/query?q=" + parameters))
          .satisfies(text ->
              assertThat(text.lines())
                  .containsExactlyInAnyOrder("of nobody", "nothing to see", "paid"));
      assertThat(ask(fixture, "/query?count=true&q=")).isEqualTo("3\n");
    }
  }

  private static Batch labelled(String pod, String text) {
    Batch plain = batch("billing", text);
    return plain.labelled(Labels.of(Map.of("pod", pod)));
  }

  private static String ask(SegmentFixture fixture, String path) throws IOException {
    try (var node = new LoneNode(fixture)) {
      return node.get(path).text();
    }
  }
}
