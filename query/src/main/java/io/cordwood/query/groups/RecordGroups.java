package io.cordwood.query.groups;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.groups.GroupsForm.Lines;
import io.cordwood.query.http.AnswerKind;
import io.cordwood.query.scan.FieldTally;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts and measures records that no node holds, such as lines of files, as {@code /stats} does,
 * within the same memory. One thread.
 */
public final class RecordGroups {
  /** After this number of bytes of records the numbers of a tally go into the groups. */
  private static final int TALLIED_BYTES = 1 << 20;

  private final GroupsForm form;
  private final Groups groups;
  private final FieldTally tally;
  private long tallied;

  /**
   * A measure of a field.
   *
   * @param kind sum, avg, min, max, p50, p90, p99 or distinct
   */
  public record Measured(String kind, String field) {}

  /**
   * The groups that are counted and written.
   *
   * @param by names of fields: records of the same values are counted together
   * @param percent whether it is written what part of all records each group is
   * @param sort a column; null: those of the most records first
   * @param example whether the text of a record of each group is written
   * @param top at most this number of groups are written, the first
   */
  public record Wanted(
      List<String> by,
      List<Measured> measured,
      boolean percent,
      @Nullable String sort,
      long top,
      boolean example,
      AnswerKind kind) {
    /** All groups as text, those of the most records first. */
    public static Wanted of(List<String> by, List<Measured> measured) {
      return new Wanted(by, measured, false, null, Long.MAX_VALUE, false, AnswerKind.TEXT);
    }
  }

  /**
   * Begins.
   *
   * @param extract fields that are groups of regular expressions
   * @throws IllegalArgumentException if a name is none, or they are too many
   */
  public RecordGroups(Wanted wanted, Extract extract) {
    this(
        Columns.checked(
            GroupsForm.of(
                wanted.by.stream().map(text -> GroupField.parse(text, extract)).toList(),
                wanted.measured.stream().map(RecordGroups::asked).toList(),
                extract,
                new Shares(false, 0, wanted.percent),
                new Lines(
                    Optional.ofNullable(wanted.sort).map(Order::new),
                    wanted.top,
                    wanted.example,
                    wanted.kind))),
        extract);
  }

  /** Counts fields by their names, as {@code /fields} does. */
  public static RecordGroups ofFields(long top, AnswerKind kind, Extract extract) {
    return new RecordGroups(GroupsForm.ofFields(top, kind), extract);
  }

  private RecordGroups(GroupsForm form, Extract extract) {
    this.form = form;
    groups = new Groups(form.grouping(), form.sizeOfSets(), 0);
    tally = new FieldTally(form.grouping(), extract, null);
  }

  private static GroupsForm.MeasureSpec asked(Measured each) {
    return new GroupsForm.MeasureSpec(
        Measure.Kind.valueOf(each.kind().toUpperCase(Locale.ROOT)), each.field());
  }

  /** Counts a record, given without its delimiter. */
  public void add(byte[] bytes, int from, int end, byte delimiter) throws IOException {
    tally.add(bytes, from, end, delimiter);
    tallied += end - from;
    if (tallied >= TALLIED_BYTES) {
      settle();
    }
  }

  private void settle() throws IOException {
    groups.add(tally);
    tallied = 0;
  }

  /** Writes the groups of all records so far. */
  public void write(OutputStream out) throws IOException {
    settle();
    new GroupsOutput(form, out).write(groups);
  }

  /** The number of records in the groups and in none, as last written. */
  public long records() {
    return groups.records();
  }

  /** The number of them in no group, since there was no room for it. */
  public long others() {
    return groups.others();
  }

  /** The error of numbers of different values, as a share; 0 if all are exact. */
  public double error() {
    return groups.error();
  }
}
