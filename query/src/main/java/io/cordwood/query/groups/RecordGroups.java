package io.cordwood.query.groups;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.groups.Measure.Kind;
import io.cordwood.query.scan.FieldTally;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
   * A measure of a field's numbers.
   *
   * @param kind sum, avg, min, max, p50, p90 or p99
   */
  public record Measured(String kind, String field) {}

  /**
   * @param by names of fields: records of the same values are counted together
   * @param top at most this number of groups are written, those of the most records
   * @param json whether they are written as objects
   * @param extract fields that are groups of regular expressions
   * @throws IllegalArgumentException if a name is none, or they are too many
   */
  public RecordGroups(
      List<String> by, List<Measured> measured, long top, boolean json, Extract extract) {
    List<Measure> measures = new ArrayList<>();
    for (Measured each : measured) {
      Kind kind = Kind.valueOf(each.kind().toUpperCase(Locale.ROOT));
      measures.add(new Measure(kind, extract.path(each.field())));
    }
    List<GroupField> fields = by.stream().map(text -> GroupField.parse(text, extract)).toList();
    form = GroupsForm.of(fields, measures, false, top, json);
    groups = new Groups(form.grouping(), 0);
    tally = new FieldTally(form.grouping(), extract, null);
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
}
