package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.match.Haystack;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.NothingMatcher;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches records that meet conditions on their fields, and in which a pattern is, or is not. The
 * labels of a batch decide some of the conditions, so that each batch has a matcher for the rest;
 * this one is that of batches without labels.
 */
public final class LabelledMatcher implements Matcher {
  private static final int MAX_KNOWN = 64;

  private final Where where;
  private final int maxLiterals;
  private final Matcher wanted;
  private final @Nullable Matcher unwanted;
  private final List<AnyOf> required;
  private final Map<BitSet, Matcher> byMetWithoutFields = new ConcurrentHashMap<>();
  private final Matcher withoutLabels;

  LabelledMatcher(Where where, int maxLiterals, Matcher wanted, @Nullable Matcher unwanted) {
    this.where = where;
    this.maxLiterals = maxLiterals;
    this.wanted = wanted;
    this.unwanted = unwanted;
    this.required = Stream.concat(wanted.required().stream(), where.required().stream()).toList();
    this.withoutLabels = matcher(where.withoutFields(Labels.NONE));
  }

  /** The matcher for the records of batches with these labels; often the same for many. */
  public Matcher of(Labels labels) {
    return labels.isEmpty() ? withoutLabels : matcher(where.withoutFields(labels));
  }

  private Matcher matcher(BitSet metWithoutFields) {
    Matcher known = byMetWithoutFields.get(metWithoutFields);
    if (known != null) {
      return known;
    }
    Matcher made = made(where.left(metWithoutFields));
    if (byMetWithoutFields.size() >= MAX_KNOWN) {
      byMetWithoutFields.clear();
    }
    Matcher before = byMetWithoutFields.putIfAbsent(metWithoutFields, made);
    return before == null ? made : before;
  }

  private Matcher made(Optional<Where> left) {
    if (left.isEmpty()) {
      return NothingMatcher.ONE;
    }
    return left.get().isAlwaysMet() && unwanted == null
        ? wanted
        : new WhereMatcher(left.get(), maxLiterals, wanted, unwanted);
  }

  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    return withoutLabels.find(payloads, from, to, delimiter);
  }

  @Override
  public List<AnyOf> required() {
    return required;
  }
}
