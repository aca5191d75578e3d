package io.cordwood.query.gather;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A record as a naive search sees it.
 *
 * @param letters a character for each byte: that of ASCII, or a letter if the byte is of a
 *     character that words have, or a blank
 */
public record SearchedRecord(Expected expected, String letters) {
  private static final Pattern OF_WORDS =
      Pattern.compile("[\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]");
  private static final int MAX_BYTES = 4;
  private static final char LETTER = '\u00c0';
  private static final char BLANK = '\u00a0';

  private SearchedRecord(Expected expected) {
    this(expected, letters(expected.bytes()));
  }

  /** What is in these batches, in ULID order. */
  public static List<SearchedRecord> of(List<Batch> batches) {
    return SegmentFixture.records(batches).stream().map(SearchedRecord::new).toList();
  }

  public Ulid ulid() {
    return expected.ulid();
  }

  Topic topic() {
    return expected.topic();
  }

  private static String letters(byte[] record) {
    var letters = new StringBuilder();
    for (int at = 0; at < record.length; at = letters.length()) {
      if (record[at] >= 0) {
        letters.append((char) record[at]);
      } else {
        int length = characterLength(record, at);
        String text = new String(record, at, length, StandardCharsets.UTF_8);
        letters.repeat(OF_WORDS.matcher(text).matches() ? LETTER : BLANK, length);
      }
    }
    return letters.toString();
  }

  /** Of what begins there; 1 if that is no character. */
  private static int characterLength(byte[] record, int at) {
    for (int length = 2; length <= MAX_BYTES && at + length <= record.length; length++) {
      String text = new String(record, at, length, StandardCharsets.UTF_8);
      if (text.codePointCount(0, text.length()) == 1 && text.charAt(0) != '\ufffd') {
        return length;
      }
    }
    return 1;
  }
}
