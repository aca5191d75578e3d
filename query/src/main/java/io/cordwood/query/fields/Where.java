package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.match.PatternSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Conditions on fields, of which a record has to meet all of one text at least. Two are equal if
 * their texts are. Immutable; safe for many threads.
 */
public final class Where {
  /** No conditions: every record meets them. */
  public static final Where NONE = new Where(List.of(), List.of());

  private static final int MAX_REQUIRED = 32;

  private final List<String> texts;
  private final List<List<Condition>> anyOf;

  private Where(List<String> texts, List<List<Condition>> anyOf) {
    this.texts = List.copyOf(texts);
    this.anyOf = anyOf;
  }

  /**
   * Reads texts, as {@link WhereParser} draws them.
   *
   * @throws WhereException if one is none, or they are too long or too many
   */
  public static Where parse(List<String> texts) {
    return texts.isEmpty() ? NONE : new Where(texts, WhereParser.parse(texts));
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
        return Optional.of(NONE);
      }
      if (canBeMet) {
        left.add(own);
      }
    }
    return left.isEmpty() && !anyOf.isEmpty()
        ? Optional.empty()
        : Optional.of(new Where(texts, left));
  }

  /** Whether every record meets them. */
  boolean isAlwaysMet() {
    return anyOf.isEmpty();
  }

  /** Whether a condition is on a label, whatever fields records have. */
  public boolean isOnLabels() {
    return anyOf.stream().flatMap(List::stream).anyMatch(each -> each.field().isLabel());
  }

  /** Whether a record meets them, in a batch without labels. */
  boolean holds(FieldFinder record) {
    for (List<Condition> allOf : anyOf) {
      if (holds(allOf, record)) {
        return true;
      }
    }
    return anyOf.isEmpty();
  }

  private static boolean holds(List<Condition> allOf, FieldFinder record) {
    for (Condition condition : allOf) {
      if (!condition.holds(record)) {
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
   * Finds records that may meet them, and all that do; every record if that is not known, or takes
   * more than a number of literals.
   */
  PatternSpec candidates(int maxLiterals) {
    if (anyOf.isEmpty()) {
      return PatternSpec.literal("");
    }
    List<String> needles = new ArrayList<>();
    boolean folded = false;
    for (List<Condition> allOf : anyOf) {
      EncodedLiterals best =
          allOf.stream()
              .map(Condition::candidates)
              .max(Comparator.comparingInt(Where::shortest))
              .orElse(EncodedLiterals.UNKNOWN);
      List<String> ofBest = best.needles();
      if (ofBest.isEmpty() || needles.size() + ofBest.size() > maxLiterals) {
        return PatternSpec.literal("");
      }
      needles.addAll(ofBest);
      folded |= best.folded();
    }
    needles.add(EncodedLiterals.ESCAPE);
    return new PatternSpec(needles, false, folded, PatternSpec.Extent.PART);
  }

  private static int shortest(EncodedLiterals encoded) {
    return encoded.needles().stream().mapToInt(String::length).min().orElse(0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Where that && texts.equals(that.texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return texts.toString();
  }
}
