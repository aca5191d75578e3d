package io.cordwood.cli.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Costs that were measured, and what nodes do by default: formulas rest on them. The document on
 * capacity has each with its source.
 */
enum Parameter {
  RECEIVE_CPU(0.57, "CPU s/GB", "An ingest node receives lines and writes them"),
  SERVE_CPU(0.85, "CPU s/GB", "An ingest node serves the pulls of stores"),
  WRITE_CPU(4.3, "CPU s/GB", "A store pulls, and writes segments"),
  BUILD_CPU(2.65, "CPU s/GB", "Of that, compression and the filter"),
  COPY_CPU(2.76, "CPU s/GB", "A store sends a copy, and another takes it"),
  REWRITE_CPU(4.3, "CPU s/GB", "Compaction rewrites segments once"),
  SETTLE_CPU(13.9, "CPU s/GB", "A store settles segments"),
  OVERHEAD(3.73, "×", "A whole cluster over its first four parts, each measured warm and alone"),
  FIRST_SIZE(
      0.285, "bytes per byte", "A segment as it is written first, filter and index included"),
  SETTLED_SIZE(0.232, "bytes per byte", "A settled segment"),
  LINE_SIZE(138, "bytes", "A line with its line feed"),
  PART_CPU(0.0017, "CPU s", "A store's part of any question, both sides"),
  OPEN_CPU(0.000012, "CPU s", "A segment opened for a question"),
  SEARCH_CPU(0.73, "CPU s/GB", "A block that may match is decompressed and searched"),
  SHARE_ABSENT(0.011, "share", "Blocks left for a string that is nowhere"),
  SHARE_RARE(0.087, "share", "Blocks left for a string that is in few lines"),
  QUERY_LAG(0.0127, "s", "From sending a line until a query finds it, on an idle node"),
  STORE_LAG(0.251, "s", "From sending a line until a store has it, in an idle cluster"),
  START_TIME(0.8, "s", "A node without segments until it is ready"),
  START_SEGMENT(0.000098, "s", "A segment more at the start"),
  REREAD(1, "share", "What was just written and is read again comes from the disk, not memory"),
  FULL(0.85, "share", "How far a processor, disk or network may be used at peak"),
  TARGET_SIZE(134217728, "bytes", "A segment as large as it should be, before compression"),
  GATHER_AGE(1, "s", "How long consumed records wait for more"),
  SETTLE_AFTER(3600, "s", "--settle-after"),
  SETTLE_RATE(16777216, "bytes/s", "--settle-rate"),
  COMPACTION_RATE(67108864, "bytes/s", "--compaction-rate"),
  TRASH_GRACE(86400, "s", "--trash-grace"),
  SCRUB_RATE(4194304, "bytes/s", "--scrub-rate"),
  REPAIR_AFTER(600, "s", "--repair-after"),
  REPAIR_RATE(67108864, "bytes/s", "--repair-rate"),
  QUERY_NODES(0, "", "Nodes that hold nothing, and are asked"),
  HEAP(268435456, "bytes", "-Xmx of each node"),
  OPEN_FILES(65536, "", "Files and connections that a node may have open"),
  PART_MEMORY(131072, "bytes", "A question takes, for each node that it asks"),
  SLICE_MEMORY(120, "bytes", "A store keeps, for each slice of time of another store"),
  SLICE_TIME(600, "s", "A slice of time that stores compare"),
  COMPARE_TIME(60, "s", "From one comparison of stores to the next"),
  TABLE_SIZE(250, "bytes", "A store's answer on slices that are as before"),
  LOAD_CHANGES(4, "1/min", "A node's load changes by more than a tenth"),
  LOAD_PAUSE(3, "s", "A load is not published again, for each ten nodes"),
  DESCRIPTION_SIZE(160, "bytes", "A node's description of itself"),
  MEMBER_SIZE(240, "bytes", "A node in the file of members"),
  API_CONNECTIONS(4096, "", "Connections that the API port takes"),
  MOST_MEMBERS(4096, "", "Nodes that a node remembers");

  private final double usual;
  private final String unit;
  private final String meaning;

  Parameter(double usual, String unit, String meaning) {
    this.usual = usual;
    this.unit = unit;
    this.meaning = meaning;
  }

  /** Its name in formulas. */
  public String symbol() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its value where nothing else is known. */
  public double usual() {
    return usual;
  }

  public String unit() {
    return unit;
  }

  public String meaning() {
    return meaning;
  }

  /**
   * The one of that name.
   *
   * @throws IllegalArgumentException if there is none; the message names them all
   */
  public static Parameter named(String symbol) {
    return Arrays.stream(values())
        .filter(each -> each.symbol().equals(symbol))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                Arrays.stream(values())
                    .map(Parameter::symbol)
                    .collect(
                        Collectors.joining(
                            ", ", "expected one of ", ", found \"" + symbol + "\""))));
  }
}
