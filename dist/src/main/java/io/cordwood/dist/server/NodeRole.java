package io.cordwood.dist.server;

import io.cordwood.cli.program.Programs;
import java.util.Locale;
import picocli.CommandLine;

/** The commands that a configuration file is for. */
enum NodeRole {
  INGESTSTORE,
  INGEST,
  STORE,
  QUERY;

  CommandLine line() {
    return Programs.line("cordwood " + this, command());
  }

  private NodeCommand command() {
    return switch (this) {
      case INGESTSTORE -> new IngestStoreCommand();
      case INGEST -> new IngestCommand();
      case STORE -> new StoreCommand();
      case QUERY -> new QueryCommand();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
