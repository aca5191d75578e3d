package io.cordwood.dist.search;

import io.cordwood.dist.program.QuickFlags;
import io.cordwood.query.groups.RecordGroups.Measured;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The measures of fields that are numbers. */
final class MeasureFlags implements QuickFlags {
  @Option(
      names = "--sum",
      paramLabel = "FIELD",
      description = "The sum of a field's numbers; durations count in seconds, sizes in bytes.")
  private List<String> sum = new ArrayList<>();

  @Option(names = "--avg", paramLabel = "FIELD", description = "Their average.")
  private List<String> avg = new ArrayList<>();

  @Option(names = "--min", paramLabel = "FIELD", description = "The least of them.")
  private List<String> min = new ArrayList<>();

  @Option(names = "--max", paramLabel = "FIELD", description = "The greatest of them.")
  private List<String> max = new ArrayList<>();

  @Option(
      names = "--p50",
      paramLabel = "FIELD",
      description = "The median, within 1 percent of it.")
  private List<String> p50 = new ArrayList<>();

  @Option(
      names = "--p90",
      paramLabel = "FIELD",
      description = "What 90 of 100 do not exceed, within 1 percent.")
  private List<String> p90 = new ArrayList<>();

  @Option(
      names = "--p99",
      paramLabel = "FIELD",
      description = "What 99 of 100 do not exceed, within 1 percent.")
  private List<String> p99 = new ArrayList<>();

  @Override
  public boolean take(String flag, String value) {
    return switch (flag) {
      case "--sum" -> sum.add(value);
      case "--avg" -> avg.add(value);
      case "--min" -> min.add(value);
      case "--max" -> max.add(value);
      case "--p50" -> p50.add(value);
      case "--p90" -> p90.add(value);
      case "--p99" -> p99.add(value);
      default -> false;
    };
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
    return all;
  }
}
