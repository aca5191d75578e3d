package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RandomQuestionTest {
  private static final byte LF = '\n';
  private static final int QUESTIONS = 300;
  private static final int RECORDS_EACH = 3000;
  private static final int MAX_BYTES = 8;

  private final SplittableRandom random = new SplittableRandom(12);

  /** Of a few bytes, any but LF, half of them letters: borders of words are often where it ends. */
  private byte[] record() {
    byte[] record = new byte[random.nextInt(MAX_BYTES)];
    random.nextBytes(record);
    for (int i = 0; i < record.length; i++) {
      record[i] = random.nextBoolean() ? (byte) "line5xs.".charAt(random.nextInt(8)) : record[i];
      record[i] = record[i] == LF ? (byte) ' ' : record[i];
    }
    return record;
  }

  @Test
  void shortRecordsMatchAsANaiveSearchHasIt() {
    for (int i = 0; i < QUESTIONS; i++) {
      RandomQuestion question = RandomQuestion.of(random);
      Matcher matcher = Matchers.compile(question.spec());
      for (int j = 0; j < RECORDS_EACH; j++) {
        byte[] record = record();
        byte[] block = Arrays.copyOf(record, record.length + 1);
        block[record.length] = LF;
        var searched = new SearchedRecord(new Expected(Ulid.MIN, Topic.DEFAULT, record));
        assertThat(matcher.find(block, 0, block.length, LF) >= 0)
            .as("%s in %s", question, HexFormat.of().formatHex(record))
            .isEqualTo(question.matches(searched));
      }
    }
  }
}
