package io.cordwood.query.gather;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.result.Stop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether an answer is complete. It provably is on three conditions: every known ingest node
 * answered, fewer stores are missing than keep each record, and these said that all their records
 * have their copies. Then every consumed record is on a store that answered, and every other one on
 * an ingest node.
 *
 * @param missing nodes whose parts the answer lacks
 * @param doubt why there may be nodes that were not asked
 * @param copies the number of known stores on which each consumed record is
 * @param stopped where the search as a whole ended before its end
 */
public record Verdict(
    List<MissingNode> missing, Optional<String> doubt, int copies, Optional<Stop> stopped) {
  private static final String COMPLETE = "complete";
  private static final String DOUBTFUL = "possibly-incomplete";

  /** The most nodes that an answer names; thousands can be missing. */
  private static final int MAX_NAMED = 20;

  private static final int MAX_REASON_CHARS = 300;

  /** A copy that also says where the search stopped. */
  public Verdict with(Optional<Stop> stop) {
    return stop.isEmpty() ? this : new Verdict(missing, doubt, copies, stop);
  }

  public boolean isComplete() {
    return doubt.isEmpty()
        && stopped.isEmpty()
        && missing.size() < Math.max(1, copies)
        && missing.stream().allMatch(MissingNode::replicated);
  }

  /** The verdict on an answer that is made of two. */
  public Verdict and(Verdict other) {
    Map<String, MissingNode> all = new LinkedHashMap<>();
    Stream.concat(missing.stream(), other.missing.stream())
        .forEach(m -> all.merge(m.tier() + " " + m.nodeId(), m, MissingNode::and));
    return new Verdict(
        List.copyOf(all.values()),
        doubt.isPresent() ? doubt : other.doubt,
        Math.min(copies, other.copies),
        stopped.isPresent() ? stopped : other.stopped);
  }

  public String word() {
    return isComplete() ? COMPLETE : DOUBTFUL;
  }

  public List<MissingNode> named() {
    return missing.subList(0, Math.min(MAX_NAMED, missing.size()));
  }

  /** The time range in which records can be missing; empty if none can. */
  Optional<UlidRange> range() {
    return missing.stream().map(MissingNode::range).reduce(UlidRange::union);
  }

  /** As fields of an HTTP answer; {@code cordwood-missing} only if something is. */
  public void eachField(BiConsumer<String, String> field) {
    field.accept("cordwood-verdict", word());
    doubt.ifPresent(why -> field.accept("cordwood-doubt", plain(why)));
    stopped.ifPresent(stop -> {
      field.accept("cordwood-stopped", stop.limit().text());
      field.accept("cordwood-unsearched", stop.unsearched().toString());
    });
    if (!missing.isEmpty()) {
      field.accept("cordwood-missing-nodes", Integer.toString(missing.size()));
      field.accept(
          "cordwood-missing",
          named().stream().map(m -> plain(m.toString())).collect(Collectors.joining("; ")));
    }
  }

  /** The text without separators, as it may be in a header. */
  private static String plain(String text) {
    String line = text.replaceAll("[^ -~]", "?").replace(';', ',');
    return line.length() <= MAX_REASON_CHARS ? line : line.substring(0, MAX_REASON_CHARS);
  }
}
