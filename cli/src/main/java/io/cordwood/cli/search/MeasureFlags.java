package io.cordwood.cli.search;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.query.groups.RecordGroups.Measured;
import java.util.ArrayList;
import java.util.List;

/** The measures of fields. */
final class MeasureFlags implements Flags {
  List<String> sum = new ArrayList<>();
  List<String> avg = new ArrayList<>();
  List<String> min = new ArrayList<>();
  List<String> max = new ArrayList<>();
  List<String> p50 = new ArrayList<>();
  List<String> p90 = new ArrayList<>();
  List<String> p99 = new ArrayList<>();
  List<String> distinct = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--sum")
        .label("FIELD")
        .help("The sum of a field's numbers; durations count in seconds, sizes in bytes.")
        .list(String.class, sum, value -> sum = value);
    list.flag("--avg")
        .label("FIELD")
        .help("Their average.")
        .list(String.class, avg, value -> avg = value);
    list.flag("--min")
        .label("FIELD")
        .help("The least of them.")
        .list(String.class, min, value -> min = value);
    list.flag("--max")
        .label("FIELD")
        .help("The greatest of them.")
        .list(String.class, max, value -> max = value);
    list.flag("--p50")
        .label("FIELD")
        .help("The median, within 1 percent of it.")
        .list(String.class, p50, value -> p50 = value);
    list.flag("--p90")
        .label("FIELD")
        .help("What 90 of 100 do not exceed, within 1 percent.")
        .list(String.class, p90, value -> p90 = value);
    list.flag("--p99")
        .label("FIELD")
        .help("What 99 of 100 do not exceed, within 1 percent.")
        .list(String.class, p99, value -> p99 = value);
    list.flag("--distinct")
        .label("FIELD")
        .help("How many different values a field has; with a tilde if that is an estimate.")
        .list(String.class, distinct, value -> distinct = value);
  }

  /** The measures on the command line. */
  List<Measured> measured() {
    List<Measured> all = new ArrayList<>();
    sum.forEach(field -> all.add(new Measured("sum", field)));
    avg.forEach(field -> all.add(new Measured("avg", field)));
    min.forEach(field -> all.add(new Measured("min", field)));
    max.forEach(field -> all.add(new Measured("max", field)));
    p50.forEach(field -> all.add(new Measured("p50", field)));
    p90.forEach(field -> all.add(new Measured("p90", field)));
    p99.forEach(field -> all.add(new Measured("p99", field)));
    distinct.forEach(field -> all.add(new Measured("distinct", field)));
    return all;
  }
}
