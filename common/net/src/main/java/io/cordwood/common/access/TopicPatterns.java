package io.cordwood.common.access;

import io.cordwood.common.segment.Topic;
import java.util.List;

/**
 * Topics that a token is for: names, and beginnings of names that end with an asterisk. An asterisk
 * alone stands for all. Immutable.
 *
 * @param texts as {@code shop*} or {@code audit}, at least one
 */
public record TopicPatterns(List<String> texts) {
  /** Every topic. */
  public static final TopicPatterns ALL = new TopicPatterns(List.of("*"));

  static final int MAX = 100;
  private static final String REST = "*";

  /**
   * @throws IllegalArgumentException if one is neither; the message says why
   */
  public TopicPatterns {
    texts = List.copyOf(texts);
    if (texts.isEmpty() || texts.size() > MAX) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX + " patterns of topics, found " + texts.size());
    }
    for (String text : texts) {
      String name = text.endsWith(REST) ? text.substring(0, text.length() - 1) : text;
      if (!name.isEmpty() || !text.equals(REST)) {
        var _ = new Topic(name);
      }
    }
  }

  public boolean areAll() {
    return texts.contains(REST);
  }

  public boolean contain(String topic) {
    for (String text : texts) {
      boolean fits =
          text.endsWith(REST)
              ? topic.regionMatches(0, text, 0, text.length() - 1)
              : topic.equals(text);
      if (fits) {
        return true;
      }
    }
    return false;
  }
}
