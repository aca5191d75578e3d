package io.cordwood.cli.plan;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The model of a cluster, in the order in which it is computed: each figure with its formula, over
 * parameters, the load, the nodes, and figures before it. The document on capacity has them all.
 */
enum Figure {
  RANGE_SEGMENTS(
      Scope.BEFORE,
      "",
      "load * copies * min(range, retention) / stores / (0.75 * target_size) + 1",
      "Segments of a store in the range of a question"),
  RANGE_BYTES(
      Scope.BEFORE,
      "bytes",
      "share * load * copies * min(range, retention) / stores",
      "Lines that a store searches for a question"),
  PART(
      Scope.BEFORE,
      "CPU s",
      "part_cpu + open_cpu * range_segments + search_cpu * range_bytes / 1e9",
      "A store's part of a question"),
  ASKED_CORES(Scope.BEFORE, "cores", "stores * rate * part", "A question, in all stores"),

  INGEST_CORES(
      "cores",
      "peak * load * overhead * (receive_cpu + serve_cpu) / 1e9",
      "Ingest nodes together, at peak"),
  INGEST_CPU_USED("share", "ingest_cores / (ingest_nodes * cores)", "Processor of an ingest node"),
  INGEST_DISK(
      "bytes",
      "peak * load * outage / ingest_nodes + 2 * target_size",
      "An ingest node while no store takes anything for the outage"),
  INGEST_DISK_USED("share", "ingest_disk / disk", "Disk of an ingest node"),
  INGEST_DISK_RATE(
      "bytes/s",
      "(1 + reread) * peak * load / ingest_nodes",
      "An ingest node writes, and stores read"),
  INGEST_DISK_RATE_USED("share", "ingest_disk_rate / disk_rate", "The disk's rate"),
  INGEST_NET_USED(
      "share", "peak * load / ingest_nodes / net_rate", "Network of an ingest node, each way"),

  STORE_LOAD("bytes/s", "load / stores", "What a store pulls"),
  REWRITTEN(
      "bytes/s",
      "copies * min(2 * store_load, max(store_load, target_size / 128 / gather_age))",
      "What compaction of a store rewrites, before compression"),
  CONSUME_CORES(
      "cores",
      "peak * load * overhead * (write_cpu + (copies - 1) * copy_cpu) / 1e9",
      "Stores together pull, write and copy, at peak"),
  SETTLE_CORES("cores", "load * copies * settle_cpu / 1e9", "Stores together settle"),
  UPKEEP_CORES(
      "cores",
      "stores * rewritten * rewrite_cpu / 1e9 + settle_cores",
      "Stores together compact and settle"),
  STORE_CPU_USED(
      "share",
      "(consume_cores + upkeep_cores + question_cores) / (stores * cores)",
      "Processor of a store"),
  SEGMENTS(
      "",
      "ceil(load * copies * retention / stores / (0.75 * target_size)) + 256",
      "Segments of a store"),
  STORE_DISK(
      "bytes",
      "load * copies / stores * (first_size * min(retention, settle_after)"
          + " + settled_size * (max(retention - settle_after, 0) + trash_grace))"
          + " + 2 * target_size",
      "Files of a store"),
  STORE_DISK_USED("share", "store_disk / disk", "Disk of a store"),
  STORE_WRITTEN(
      "bytes/s",
      "peak * store_load * (1 + copies * first_size) + first_size * rewritten"
          + " + settled_size * copies * store_load",
      "A store writes"),
  STORE_READ(
      "bytes/s",
      "reread * (peak * store_load + first_size * (rewritten + copies * store_load))"
          + " + scrub_rate",
      "A store reads, questions aside"),
  STORE_DISK_RATE_USED("share", "(store_written + store_read) / disk_rate", "The disk's rate"),
  STORE_NET_USED(
      "share",
      "peak * store_load * (1 + (copies - 1) * first_size) / net_rate",
      "Network of a store, each way"),
  SETTLE_USED("share", "copies * store_load / settle_rate", "The rate of settling"),
  COMPACTION_USED("share", "rewritten / compaction_rate", "The rate of compaction"),

  MOST_INGEST(
      "bytes/s",
      "full * ingest_nodes * min(min(disk_rate / (1 + reread), net_rate),"
          + " cores * 1e9 / (overhead * (receive_cpu + serve_cpu)))",
      "Ingest nodes take at most"),
  MOST_STORE_CPU(
      "bytes/s",
      "max(0, full * stores * cores - settle_cores - question_cores) * 1e9"
          + " / (overhead * (write_cpu + (copies - 1) * copy_cpu))",
      "Processors of stores take at most"),
  MOST_STORE_DISK(
      "bytes/s",
      "stores * max(0, full * disk_rate"
          + " - (reread * first_size + settled_size) * copies * store_load - scrub_rate)"
          + " / (1 + reread + copies * first_size)",
      "Disks of stores take at most"),
  MOST_STORE_NET(
      "bytes/s",
      "full * stores * net_rate / (1 + (copies - 1) * first_size)",
      "Networks of stores take at most"),
  MOST(
      "bytes/s",
      "min(min(most_ingest, most_store_cpu), min(most_store_disk, most_store_net))",
      "Lines a second that are stored at most; what comes faster waits on ingest nodes"),
  FILLED_AFTER(
      "s", "full * disk * ingest_nodes / most", "Disks of ingest nodes are full, at twice that"),
  DRAINED_AFTER(
      "s", "load * outage / max(0, most - load)", "After the outage: all that waits is stored"),

  QUERYABLE(
      "s",
      "query_lag / (1 - min(1, ingest_cpu_used) ^ max(1, cores))",
      "Until a query finds a line"),
  STORED(
      "s",
      "(store_lag + peak * store_load * gather_age * overhead * write_cpu / 1e9 / cores)"
          + " / (1 - min(1, store_cpu_used) ^ max(1, cores))",
      "Until stores have it"),
  STARTED("s", "start_time + start_segment * segments", "A store until it is ready"),
  FULL_AFTER(
      "months",
      "log(full * disk / store_disk) / log(1 + growth)",
      "Disks of stores are full, if the load grows"),
  COPIED_AFTER(
      "s",
      "repair_after + load * copies * retention / stores / (max(0, stores - 1) * repair_rate)",
      "After the loss of a store: all copies are there again"),
  DAY_BYTES(
      "bytes", "86400 * load * copies * settled_size", "A day more of retention, in all stores"),
  GRACE_SHARE(
      "share",
      "settled_size * trash_grace / (settled_size * trash_grace + first_size"
          + " * min(retention, settle_after) + settled_size * max(retention - settle_after, 0))",
      "Of a store's files, those that --trash-grace keeps"),

  ALL_NODES("", "ingest_nodes + stores + query_nodes", "All nodes"),
  DESCRIPTIONS(
      "1/min",
      "(all_nodes - 1) * 60 / (60 / load_changes + load_pause * ceil(all_nodes / 10))",
      "A node hears of others' loads"),
  DESCRIPTION_RATE(
      "bytes/s", "descriptions * description_size / 60", "Their bytes, each counted once"),
  REMEMBERED("bytes", "all_nodes * member_size", "A node remembers of all, on its disk"),
  TABLES_ASKED("1/min", "(stores - 1) * 60 / compare_time", "A store asks others for their slices"),
  TABLE_RATE(
      "bytes/s", "tables_asked * table_size / 60", "Bytes of the answers, if little changes"),
  TABLE_MEMORY(
      "bytes",
      "(stores - 1) * slice_memory * retention / slice_time",
      "A store keeps of the slices of others"),
  CONNECTIONS("", "4 * (all_nodes - 1)", "Connections of a node for calls, at most"),
  GOSSIP_CONNECTIONS(
      "",
      "min(all_nodes - 1, 256) + min(all_nodes - 1, 512)",
      "Connections of a node for gossip, at most"),
  OPEN(
      "",
      "connections + gossip_connections + min(segments, open_files / 2)",
      "Files and connections of a store, senders aside"),
  QUESTION_MEMORY(
      "bytes",
      "part_memory * (ingest_nodes + stores)",
      "A question takes on the node that gathers its answer"),
  AT_ONCE(
      "",
      "min(64, max(1, heap / 4 / question_memory))",
      "Questions that a node gathers at once, however many are asked"),
  NODES_BY_QUESTIONS(
      "",
      "all_nodes * heap / 4 / question_memory",
      "Nodes, until a question takes all that there is"),
  NODES_BY_TABLES(
      "",
      "all_nodes * heap / 4 / table_memory",
      "Nodes, until slices take a quarter of a store's heap"),
  NODES_BY_FILES(
      "", "1 + max(0, open_files / 2 - 768) / 4", "Nodes, until a node opens too many files"),
  NODES_BY_CONNECTIONS(
      "", "1 + api_connections / 2", "Nodes, until an API port closes connections of others"),
  NODES_BY_MEMBERS("", "most_members", "Nodes, until a node forgets some that are gone"),
  MOST_NODES(
      "",
      "min(min(nodes_by_questions, nodes_by_tables),"
          + " min(min(nodes_by_files, nodes_by_connections), nodes_by_members))",
      "Nodes at most, in the same proportions"),

  ANSWERED(
      Scope.AFTER,
      "s",
      "stores * part_cpu / 2 / min(1, cores)"
          + " + part / cores / (1 - min(1, store_cpu_used) ^ max(1, cores))"
          + " + settled_size * range_bytes / disk_rate",
      "A question until its answer is whole");

  /** How many of it there are. */
  enum Scope {
    /** One for each question, before those of the cluster. */
    BEFORE,
    /** One for the cluster. */
    CLUSTER,
    /** One for each question, after those of the cluster. */
    AFTER
  }

  private static final Map<Figure, Formula> PARSED =
      Stream.of(values())
          .collect(
              Collectors.toMap(
                  Function.identity(),
                  figure -> Formula.parse(figure.formula),
                  (one, _) -> one,
                  () -> new EnumMap<>(Figure.class)));

  private final Scope scope;
  private final String unit;
  private final String formula;
  private final String meaning;

  Figure(String unit, String formula, String meaning) {
    this(Scope.CLUSTER, unit, formula, meaning);
  }

  Figure(Scope scope, String unit, String formula, String meaning) {
    this.scope = scope;
    this.unit = unit;
    this.formula = formula;
    this.meaning = meaning;
  }

  /** Its name in formulas. */
  public String symbol() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty for a number of something. */
  public String unit() {
    return unit;
  }

  /** Its formula, as the document has it. */
  public String formula() {
    return formula;
  }

  public String meaning() {
    return meaning;
  }

  /** Those that each question has. */
  public static List<Figure> ofQuestions() {
    return Stream.of(values()).filter(each -> each.scope != Scope.CLUSTER).toList();
  }

  Scope scope() {
    return scope;
  }

  double of(Map<String, Double> values) {
    return Objects.requireNonNull(PARSED.get(this)).of(values);
  }
}
