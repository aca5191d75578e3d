package io.cordwood.query.fields;

import java.util.List;

/**
 * The fields to group records by, and what is measured of each group.
 *
 * @param by records of the same values of all of these belong together
 * @param of whose numbers are summed up
 * @param values whether each of these numbers is wanted, as for percentiles
 * @param distinct whose different values are counted
 * @param each what else is wanted of each group
 */
public record Grouping(
    List<GroupField> by, List<FieldPath> of, boolean values, List<GroupField> distinct, Each each) {
  /** The most fields of each kind. */
  public static final int MAX_FIELDS = 16;

  /** The parts of records that are wanted. */
  public enum Each {
    /** Nothing. */
    NOTHING(0),
    /** The text of one of them. */
    EXAMPLE(1),
    /**
     * Not records, but their fields are counted: by name and {@link ValueKind}, with the number of
     * different values and some of these.
     */
    FIELDS(3);

    private final int examples;

    Each(int examples) {
      this.examples = examples;
    }

    /** At most this number of examples is kept of a group. */
    public int examples() {
      return examples;
    }
  }

  /** Nothing is counted. */
  public static final Grouping NONE = by(List.of());

  /** Fields by their names are counted. */
  public static final Grouping FIELDS =
      new Grouping(List.of(), List.of(), false, List.of(), Each.FIELDS);

  /** Checks the number of fields; too many are an {@link IllegalArgumentException}. */
  public Grouping {
    by = List.copyOf(by);
    of = List.copyOf(of);
    distinct = List.copyOf(distinct);
    int found = Math.max(distinct.size(), Math.max(by.size(), of.size()));
    if (found > MAX_FIELDS) {
      throw new IllegalArgumentException(
          "expected at most %d fields, found %d".formatted(MAX_FIELDS, found));
    }
  }

  /** Records are counted, and nothing is measured. */
  public static Grouping by(List<GroupField> by) {
    return new Grouping(by, List.of(), false, List.of(), Each.NOTHING);
  }

  /** The number of values that each group has in its key. */
  public int keys() {
    return each == Each.FIELDS ? 2 : by.size();
  }

  /** The number of sets of different values that each group has. */
  public int sets() {
    return each == Each.FIELDS ? 1 : distinct.size();
  }

  /** Whether nodes that only know values and numbers of fields cannot tell. */
  public boolean needsMore() {
    return !distinct.isEmpty() || each != Each.NOTHING || by.stream().anyMatch(GroupField::isShape);
  }
}
