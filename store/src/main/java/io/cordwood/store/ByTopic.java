package io.cordwood.store;

import io.cordwood.common.segment.Topic;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A value for each topic: that of its name, or else that of the longest beginning of its name. So
 * the order in which they are given does not matter. Immutable.
 *
 * @param values by name, or by beginning of names with an asterisk after it; always one of {@code
 *     *} alone, which is for all other topics
 */
public record ByTopic<T>(Map<String, T> values) {
  /** Stands for the rest of a name; alone, for every topic. */
  public static final String REST = "*";

  /** Most patterns. */
  static final int MAX = 100;

  /**
   * @throws IllegalArgumentException if a pattern is none, or there are too many; the message says
   *     so
   */
  public ByTopic {
    values = Map.copyOf(values);
    values.keySet().forEach(ByTopic::check);
    if (!values.containsKey(REST) || values.size() > MAX) {
      throw new IllegalArgumentException(
          "expected 1 to %d patterns of topics, one of them *, found %s"
              .formatted(MAX, values.keySet()));
    }
  }

  /** One value for all. */
  public static <T> ByTopic<T> all(T value) {
    return new ByTopic<>(Map.of(REST, value));
  }

  /**
   * Checks a pattern.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  static void check(String pattern) {
    if (!pattern.equals(REST)) {
      int end = pattern.length() - (pattern.endsWith(REST) ? 1 : 0);
      var _ = new Topic(pattern.substring(0, end));
    }
  }

  public T of(Topic topic) {
    return of(topic.name());
  }

  /** That of a name, or that which a pattern would have if nothing longer fitted. */
  T of(String nameOrPattern) {
    boolean isPattern = nameOrPattern.endsWith(REST);
    String name = nameOrPattern.substring(0, nameOrPattern.length() - (isPattern ? 1 : 0));
    String pattern = nameOrPattern;
    for (int length = name.length(); !values.containsKey(pattern); length--) {
      pattern = name.substring(0, length) + REST;
    }
    return Objects.requireNonNull(values.get(pattern));
  }

  /** Those that there are, some perhaps twice. */
  public Collection<T> all() {
    return values.values();
  }

  /** Whether all topics have the same one. */
  public boolean isOne() {
    return values.values().stream().distinct().count() == 1;
  }

  /** Another value in the place of each. */
  public <R> ByTopic<R> map(Function<T, R> change) {
    var changed = new TreeMap<String, R>();
    values.forEach((pattern, value) -> changed.put(pattern, change.apply(value)));
    return new ByTopic<>(changed);
  }
}
