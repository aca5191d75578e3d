package io.cordwood.query.fields;

import java.util.List;

/**
 * By which fields records are counted, and what is measured of them.
 *
 * @param by records of the same values of all of these belong together
 * @param of whose numbers are summed up
 * @param values whether each of these numbers is wanted, as for percentiles
 */
public record Grouping(List<GroupField> by, List<FieldPath> of, boolean values) {
  /** The most fields of each kind. */
  public static final int MAX_FIELDS = 16;

  /** Nothing is counted. */
  public static final Grouping NONE = new Grouping(List.of(), List.of(), false);

  /** Checks the number of fields; too many are an {@link IllegalArgumentException}. */
  public Grouping {
    by = List.copyOf(by);
    of = List.copyOf(of);
    if (by.size() > MAX_FIELDS || of.size() > MAX_FIELDS) {
      int found = Math.max(by.size(), of.size());
      throw new IllegalArgumentException(
          "expected at most %d fields, found %d".formatted(MAX_FIELDS, found));
    }
  }
}
