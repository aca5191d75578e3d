package io.cordwood.cli.plan;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Decimals;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.Values;
import java.util.OptionalInt;

/** The hardware of each node, and how many nodes there are, if that is known. */
final class MachineFlags implements Flags {
  private static final int MOST_NODES = 100_000;

  private double cores = 2;
  private double disk = Double.POSITIVE_INFINITY;
  private double diskRate = Double.POSITIVE_INFINITY;
  private double netRate = Double.POSITIVE_INFINITY;
  private int ingestNodes;
  private int stores;
  private int spare = 1;

  @Override
  public void list(FlagList list) {
    list.flag("--cores")
        .label("N")
        .help("Cores of each node, such as 8 or 0.5. Default: 2.")
        .value(Double.class, Decimals::read, cores, value -> cores = value);
    list.flag("--disk")
        .label("BYTES")
        .help("Disk of each node, such as 4TB. Default: any, and the plan says what it must be.")
        .value(
            Double.class, text -> Values.read(text, Quantities::size), disk, value -> disk = value);
    list.flag("--disk-rate")
        .label("RATE")
        .help("What that disk reads and writes, such as 500MB/s. Default: any.")
        .value(
            Double.class,
            text -> Values.read(text, Quantities::byteRate),
            diskRate,
            value -> diskRate = value);
    list.flag("--net")
        .label("RATE")
        .help("Network of each node, each way, such as 1GB/s. Default: any.")
        .value(
            Double.class,
            text -> Values.read(text, Quantities::byteRate),
            netRate,
            value -> netRate = value);
    list.flag("--spare")
        .label("N")
        .help(
            "Nodes of each kind that may be down while the others take all."
                + " Default: ${DEFAULT-VALUE}.")
        .value(int.class, spare, value -> spare = value);
    list.flag("--ingest-nodes")
        .label("N")
        .help("Says what that many take. Default: as many as the load needs.")
        .value(int.class, ingestNodes, value -> ingestNodes = value);
    list.flag("--stores")
        .label("N")
        .help("Says what that many take. Default: as many as the load needs.")
        .value(int.class, stores, value -> stores = value);
  }

  /**
   * The hardware of each node.
   *
   * @throws CommandException if it makes no sense
   */
  Machine machine() {
    check(cores > 0, "--cores: expected more than 0", cores);
    check(disk > 0, "--disk: expected more than 0 bytes", disk);
    check(diskRate > 0, "--disk-rate: expected more than 0", diskRate);
    check(netRate > 0, "--net: expected more than 0", netRate);
    return new Machine(cores, disk, diskRate, netRate);
  }

  /**
   * Nodes of each kind that may be down.
   *
   * @throws CommandException if it makes no sense
   */
  int spare() {
    check(spare >= 0 && spare <= MOST_NODES, "--spare: expected 0 to " + MOST_NODES, spare);
    return spare;
  }

  /**
   * The given number; empty if it is to be found.
   *
   * @throws CommandException if it makes no sense
   */
  OptionalInt ingestNodes() {
    check(
        ingestNodes >= 0 && ingestNodes <= MOST_NODES,
        "--ingest-nodes: expected 1 to " + MOST_NODES,
        ingestNodes);
    return ingestNodes == 0 ? OptionalInt.empty() : OptionalInt.of(ingestNodes);
  }

  /**
   * The given number; empty if it is to be found.
   *
   * @throws CommandException if it makes no sense, or there are fewer than copies
   */
  OptionalInt stores(Load load) {
    check(stores >= 0 && stores <= MOST_NODES, "--stores: expected 1 to " + MOST_NODES, stores);
    if (stores == 0) {
      return OptionalInt.empty();
    }
    check(
        stores >= load.copies(),
        "--replication-factor: expected at most %d, one copy on each of the --stores"
            .formatted(stores),
        load.copies());
    return OptionalInt.of(stores);
  }

  private static void check(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new CommandException(expected + ", found " + found);
    }
  }
}
