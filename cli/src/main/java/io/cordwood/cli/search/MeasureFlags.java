package io.cordwood.cli.search;

import io.cordwood.query.groups.RecordGroups.Measured;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The measures of fields that are numbers. */
final class MeasureFlags {
  @Option(
      names = "--sum",
      paramLabel = "FIELD",
      description = "The sum of a field's numbers; durations count in seconds, sizes in bytes.")
  List<String> sum = new ArrayList<>();

  @Option(names = "--avg", paramLabel = "FIELD", description = "Their average.")
  List<String> avg = new ArrayList<>();

  @Option(names = "--min", paramLabel = "FIELD", description = "The least of them.")
  List<String> min = new ArrayList<>();

  @Option(names = "--max", paramLabel = "FIELD", description = "The greatest of them.")
  List<String> max = new ArrayList<>();

  @Option(
      names = "--p50",
      paramLabel = "FIELD",
      description = "The median, within 1 percent of it.")
  List<String> p50 = new ArrayList<>();

  @Option(
      names = "--p90",
      paramLabel = "FIELD",
      description = "What 90 of 100 do not exceed, within 1 percent.")
  List<String> p90 = new ArrayList<>();

  @Option(
      names = "--p99",
      paramLabel = "FIELD",
      description = "What 99 of 100 do not exceed, within 1 percent.")
  List<String> p99 = new ArrayList<>();

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
    return all;
  }
}
