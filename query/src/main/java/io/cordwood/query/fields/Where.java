package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.match.PatternSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Conditions on fields, of which a record has to meet all of one text at least. Two are equal if
 * their texts are, and those of groups. Immutable; safe for many threads.
 */
public final class Where {
  /** No conditions: every record meets them. */
  public static final Where NONE = new Where(List.of(), List.of(), Extract.NONE);

  private static final int MAX_REQUIRED = 32;

  private final List<String> texts;
  private final List<List<Condition>> anyOf;
  private final Extract extract;

  private Where(List<String> texts, List<List<Condition>> anyOf, Extract extract) {
    this.texts = List.copyOf(texts);
    this.anyOf = anyOf;
    this.extract = extract;
  }

  /**
   * Reads texts, as {@link WhereParser} draws them.
   *
   * @throws WhereException if one is none, or they are too long or too many
   */
  public static Where parse(List<String> texts) {
    return parse(texts, Extract.NONE);
  }

  /**
   * Reads texts of conditions, in which names may be those of groups.
   *
   * @throws WhereException if one is none, or they are too long or too many
   */
  public static Where parse(List<String> texts, Extract extract) {
    return new Where(texts, WhereParser.parse(texts, extract), extract);
  }

  /** Fields that records get by groups, whether there are conditions on them or not. */
  public Extract extract() {
    return extract;
  }

  public List<String> texts() {
    return texts;
  }

  public boolean isEmpty() {
    return texts.isEmpty();
  }

  /**
   * The conditions, one after the other, that a record without their fields meets in a batch with
   * these labels. It decides those on labels.
   */
  BitSet withoutFields(Labels labels) {
    var met = new BitSet();
    int at = 0;
    for (List<Condition> allOf : anyOf) {
      for (Condition condition : allOf) {
        met.set(at++, condition.holdsWithout(labels));
      }
    }
    return met;
  }

  /**
   * Conditions on records' own fields that are left.
   *
   * @param withoutFields as that of a batch's labels
   * @return empty if no record meets them
   */
  Optional<Where> left(BitSet withoutFields) {
    List<List<Condition>> left = new ArrayList<>();
    int at = 0;
    for (List<Condition> allOf : anyOf) {
      List<Condition> own = new ArrayList<>();
      boolean canBeMet = true;
      for (Condition condition : allOf) {
        boolean isMet = withoutFields.get(at++);
        if (condition.field().isLabel()) {
          canBeMet &= isMet;
        } else {
          own.add(condition.whereAbsent(isMet));
        }
      }
      if (canBeMet && own.isEmpty()) {
        return Optional.of(new Where(List.of(), List.of(), extract));
      }
      if (canBeMet) {
        left.add(own);
      }
    }
    return left.isEmpty() && !anyOf.isEmpty()
        ? Optional.empty()
        : Optional.of(new Where(texts, left, extract));
  }

  /** Whether every record meets them. */
  boolean isAlwaysMet() {
    return anyOf.isEmpty();
  }

  /** Whether a condition is on a label, whatever fields records have. */
  public boolean isOnLabels() {
    return anyOf.stream().flatMap(List::stream).anyMatch(each -> each.field().isLabel());
  }

  /**
   * Whether a record meets them, in a batch without labels.
   *
   * @param hasLiteral false if it is known to hold none of the literals of {@link #candidates}
   */
  boolean holds(FieldFinder record, boolean hasLiteral) {
    for (List<Condition> allOf : anyOf) {
      if (holds(allOf, record, hasLiteral)) {
        return true;
      }
    }
    return anyOf.isEmpty();
  }

  private static boolean holds(List<Condition> allOf, FieldFinder record, boolean hasLiteral) {
    for (Condition condition : allOf) {
      if (!condition.holds(record, hasLiteral)) {
        return false;
      }
    }
    return true;
  }

  /** Literals in every block with a record that meets the conditions: all of these hold. */
  List<AnyOf> required() {
    if (anyOf.size() == 1) {
      return anyOf.getFirst().stream()
          .flatMap(condition -> condition.required().stream())
          .limit(MAX_REQUIRED)
          .toList();
    }
    List<byte[]> any = new ArrayList<>();
    for (List<Condition> allOf : anyOf) {
      Optional<AnyOf> best =
          allOf.stream()
              .flatMap(condition -> condition.required().stream())
              .max(Comparator.comparingInt(clause -> clause.literals().getFirst().length));
      if (best.isEmpty()) {
        return List.of();
      }
      any.addAll(best.get().literals());
    }
    return any.isEmpty() || any.size() > MAX_REQUIRED ? List.of() : List.of(new AnyOf(any));
  }

  /**
   * How to find records that may meet them, and all that do.
   *
   * @param literals finds those that hold a literal; every record if none is known
   * @param byLevel whether others may, too, by their level alone
   */
  record Candidates(PatternSpec literals, boolean byLevel) {
    static final Candidates ALL = new Candidates(PatternSpec.literal(""), false);
  }

  /** Candidates by at most that many literals. */
  Candidates candidates(int maxLiterals) {
    if (anyOf.isEmpty()) {
      return Candidates.ALL;
    }
    List<String> needles = new ArrayList<>();
    boolean folded = false;
    boolean byLevel = false;
    boolean escaped = false;
    for (List<Condition> allOf : anyOf) {
      Condition best = best(allOf);
      EncodedLiterals literals = best.candidates();
      List<String> ofBest = literals.needles();
      boolean isTwice =
          best.mayPassByLevel() && allOf.stream().filter(Condition::mayPassByLevel).count() > 1;
      if (isTwice || ofBest.isEmpty() || needles.size() + ofBest.size() > maxLiterals) {
        return Candidates.ALL;
      }
      needles.addAll(ofBest);
      folded |= literals.folded();
      byLevel |= best.mayPassByLevel();
      escaped |= best.field().extracted() < 0;
    }
    if (escaped) {
      needles.add(EncodedLiterals.ESCAPE);
    }
    return new Candidates(
        new PatternSpec(needles, false, folded, PatternSpec.Extent.PART), byLevel);
  }

  /** The one with the longest literals, if possible one without which no record meets them. */
  private static Condition best(List<Condition> allOf) {
    return Collections.max(
        allOf,
        Comparator.comparing(
                (Condition one) -> !one.mayPassByLevel() && !one.candidates().needles().isEmpty())
            .thenComparingInt(one -> shortest(one.candidates())));
  }

  private static int shortest(EncodedLiterals encoded) {
    return encoded.needles().stream().mapToInt(String::length).min().orElse(0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Where that && texts.equals(that.texts) && extract.equals(that.extract);
  }

  @Override
  public int hashCode() {
    return 31 * texts.hashCode() + extract.hashCode();
  }

  @Override
  public String toString() {
    return texts.toString();
  }
}
