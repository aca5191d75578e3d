package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A condition on a field.
 *
 * @param orAbsent whether a record without the field is one, too
 * @param negated whether the value must not pass; a record without the field is none all the same
 * @param ofField literals in each record that meets it, since it has the field
 */
record Condition(
    FieldPath field, boolean orAbsent, boolean negated, ValueTest test, List<AnyOf> ofField) {
  /** A test for one of some texts, which is a level in any case if the field is it. */
  static ValueTest equal(FieldPath field, List<String> texts) {
    boolean anyCase = field.ofLine() == LineField.LEVEL;
    return new ValueTest.Equal(
        texts.stream()
            .map(text -> anyCase ? EncodedLiterals.lower(text) : text)
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toList(),
        anyCase);
  }

  /**
   * Whether a record is as it says.
   *
   * @param mayBeWritten false if the record holds none of the {@link #candidates}: then only the
   *     level that it has, however it is written, may meet it
   */
  boolean holds(FieldFinder record, boolean mayBeWritten) {
    if (field.ofLine() == LineField.LEVEL) {
      return holdsLevel(record, mayBeWritten);
    }
    return record.find(field) ? record.valuePasses(test) != negated : orAbsent;
  }

  /** Whether a record without the field meets it, in a batch with these labels. */
  boolean holdsWithout(Labels labels) {
    String value = field.label(labels);
    if (value == null) {
      return orAbsent;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return test.passes(bytes, 0, bytes.length) != negated;
  }

  /** The condition of a record's own field, where it is known whether one without it meets it. */
  Condition whereAbsent(boolean holds) {
    return new Condition(field, holds, negated, test, holds ? List.of() : ofField);
  }

  /** The level has two values: one of a few words, and what is written. Either may pass. */
  private boolean holdsLevel(FieldFinder record, boolean mayBeWritten) {
    Level level = record.level();
    if (level != Level.NONE && passes(level)) {
      return !negated;
    }
    boolean isWritten = mayBeWritten && record.findWrittenLevel(field);
    if (isWritten && record.valuePasses(test)) {
      return !negated;
    }
    return (isWritten || level != Level.NONE) ? negated : orAbsent;
  }

  private boolean passes(Level level) {
    return test.passes(level.bytes(), 0, level.bytes().length);
  }

  /** Whether records may meet it by their level, which stands in no letters of them. */
  boolean mayPassByLevel() {
    return field.ofLine() == LineField.LEVEL
        && Stream.of(Level.values()).anyMatch(level -> level != Level.NONE && passes(level));
  }

  /**
   * Literals in each block with a record that meets this condition: one of each set. They are in
   * the record, or in the labels of its batch, which stand in the block's filter as name=value.
   */
  List<AnyOf> required() {
    if (field.isLabel()) {
      return orAbsent ? List.of() : LabelLiterals.required(field, negated ? null : test);
    }
    return mayPassByLevel()
        ? List.of()
        : Stream.concat(
                Stream.of(value(), key()).flatMap(it -> it.required().stream()), ofField.stream())
            .toList();
  }

  /** The best literals to look for in order to find records that may meet this condition. */
  EncodedLiterals candidates() {
    boolean isKey = value().needles().isEmpty() || field.extracted() >= 0;
    return isKey && !key().needles().isEmpty() ? key() : value();
  }

  private EncodedLiterals value() {
    return orAbsent || negated ? EncodedLiterals.UNKNOWN : test.encoded();
  }

  /** Parts of lines of text have no names there, and a group has other literals around it. */
  private EncodedLiterals key() {
    if (field.extracted() >= 0) {
      return ofField.stream()
          .max(Comparator.comparingInt(clause -> clause.literals().getFirst().length))
          .map(clause -> new EncodedLiterals(clause.literals(), true))
          .orElse(EncodedLiterals.UNKNOWN);
    }
    return orAbsent || field.ofAccessLog() >= 0 || field.ofLine() != null
        ? EncodedLiterals.UNKNOWN
        : new EncodedLiterals(List.of(field.longestKey()), false);
  }
}
