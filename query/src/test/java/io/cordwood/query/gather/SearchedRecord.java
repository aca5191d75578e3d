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
 * @param letters a character for each byte: that of ASCII, or a letter if the byte is the first of
 *     a character that words have, and {@link #INSIDE_LETTER} for those after it; or a blank for
 *     the first byte of another character, or of bytes that are none, and {@link #INSIDE} for those
 *     after it
 */
public record SearchedRecord(Expected expected, String letters) {
  private static final Pattern OF_WORDS =
      Pattern.compile("[\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]");
  static final char LETTER = '\u00c0';
  static final char INSIDE_LETTER = '\u00c1';
  static final char BLANK = '\u00a0';

  /** Nothing begins or ends before it. */
  static final char INSIDE = '\u00a1';

  SearchedRecord(Expected expected) {
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
        if (OF_WORDS.matcher(text).matches()) {
          letters.append(LETTER).repeat(INSIDE_LETTER, length - 1);
        } else {
          letters.append(BLANK).repeat(INSIDE, length - 1);
        }
      }
    }
    return letters.toString();
  }

  /**
   * Of what begins there. A first byte and as many as it asks for of those that go on count as one,
   * also if together they are no character.
   */
  private static int characterLength(byte[] record, int at) {
    int first = record[at] & 0xFF;
    int most = first < 0xC2 || first > 0xF4 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    int length = 1;
    while (length < most && at + length < record.length && record[at + length] < (byte) 0xC0) {
      length++;
    }
    return length;
  }
}
