package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Topic;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A random search in a random range of records that are known, and what a naive one finds.
 *
 * @param path by which any node is asked
 * @param found byte for byte
 */
public record RandomSearch(String path, byte[] found, int matches) {
  private static final int NEAR_BYTES = 100;

  /**
   * Chooses one.
   *
   * @param all in ULID order; there may be others before the first and behind the last
   */
  public static RandomSearch of(SplittableRandom random, List<SearchedRecord> all) {
    RandomQuestion question = RandomQuestion.of(random);
    boolean invert = !question.parts() && random.nextInt(5) == 0;
    int from = random.nextInt(all.size());
    int to = random.nextBoolean() ? all.size() - 1 : from + random.nextInt(all.size() - from);
    Topic topic = SegmentFixture.TOPICS.get(random.nextInt(SegmentFixture.TOPICS.size()));
    boolean anyTopic = random.nextInt(3) > 0;
    Predicate<SearchedRecord> wanted =
        r ->
            (anyTopic || r.topic().equals(topic))
                && question.matches(r) != invert
                && question.given(r).length > 0;
    List<SearchedRecord> found = all.subList(from, to + 1).stream().filter(wanted).toList();
    String path =
        "/query?%s&invert=%s&from=%s&to=%s%s"
            .formatted(
                question.parameters(),
                invert,
                all.get(from).ulid(),
                all.get(to).ulid(),
                anyTopic ? "" : "&topic=" + topic.name());
    int number = 1 + random.nextInt(found.size() + 2);
    int count = Math.min(number, found.size());
    return switch (random.nextInt(3)) {
      case 0 -> of(path, question, found);
      case 1 -> of(path + "&limit=" + number, question, found.subList(0, count));
      default -> {
        List<SearchedRecord> last = found.subList(found.size() - count, found.size());
        yield of(path + "&last=" + number, question, last);
      }
    };
  }

  private static RandomSearch of(
      String path, RandomQuestion question, List<SearchedRecord> records) {
    var found = new ByteArrayOutputStream();
    records.forEach(record -> found.writeBytes(question.given(record)));
    return new RandomSearch(path, found.toByteArray(), records.size());
  }

  /**
   * Fails unless this is what was answered, and as all that there is.
   *
   * @param who was asked, for the message
   */
  public void check(Answer answer, String who) {
    String what = who + " asked " + path;
    assertThat(answer.status()).as(what).isEqualTo(200);
    int differs = Arrays.mismatch(answer.body(), found);
    assertThat(differs)
        .as(
            "%s: first byte not as expected; %s, found %s",
            what, near(found, differs), near(answer.body(), differs))
        .isEqualTo(-1);
    assertThat(answer.field("verdict")).as(what).isEqualTo("complete");
    assertThat(answer.field("matches")).as(what).isEqualTo(matches + "");
  }

  private static String near(byte[] bytes, int at) {
    int from = Math.clamp(at - NEAR_BYTES, 0, bytes.length);
    int to = Math.clamp(at + (long) NEAR_BYTES, from, bytes.length);
    return "%s of %d".formatted(HexFormat.of().formatHex(bytes, from, to), bytes.length);
  }
}
