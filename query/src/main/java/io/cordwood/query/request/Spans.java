package io.cordwood.query.request;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.List;

/**
 * Batches of some topics that begin in some ranges. Immutable.
 *
 * @param spans at most {@link #MAX}
 */
public record Spans(List<Span> spans) implements Selection {
  /** As many as fit into a form if topics have long names. */
  public static final int MAX = 500;

  /** Batches of a topic that begin in a range. As text: {@code TOPIC/FROM-TO}. */
  public record Span(Topic topic, UlidRange range) {
    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Span parse(String text) {
      int slash = text.indexOf('/');
      if (slash < 0) {
        throw new IllegalArgumentException("expected TOPIC/FROM-TO, found \"" + text + "\"");
      }
      UlidRange range =
          UlidRange.parse(text.substring(slash + 1))
              .orElseThrow(
                  () -> new IllegalArgumentException("expected a range in \"" + text + "\""));
      return new Span(new Topic(text.substring(0, slash)), range);
    }

    @Override
    public String toString() {
      return topic + "/" + range;
    }
  }

  public Spans {
    spans = List.copyOf(spans);
  }

  @Override
  public boolean overlaps(Topic topic, UlidRange range) {
    return spans.stream().anyMatch(s -> s.topic().equals(topic) && s.range().overlaps(range));
  }

  @Override
  public int[] places(Topic topic, Ulid first, int records) {
    return overlaps(topic, new UlidRange(first, first)) ? new int[] {0, records} : new int[0];
  }
}
