package io.cordwood.dist.server;

import io.cordwood.cli.program.Command;

/** The commands that start nodes, or show how they would be. */
public final class NodeCommands {
  private NodeCommands() {}

  /**
   * One command; only its class is loaded.
   *
   * @param name ingeststore, ingest, store, query, demo or config
   */
  public static Command named(String name) {
    return switch (name) {
      case "ingeststore" -> new IngestStoreCommand();
      case "ingest" -> new IngestCommand();
      case "store" -> new StoreCommand();
      case "query" -> new QueryCommand();
      case "demo" -> new DemoCommand();
      case "config" -> new ConfigCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }
}
