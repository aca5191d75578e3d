package io.cordwood.dist.server;

import io.cordwood.cli.program.Programs;
import io.cordwood.common.cold.ColdTimes;
import java.util.Arrays;

/** A node whose times for a bucket are seconds instead of hours; the first argument is its tier. */
public final class BriefBucketNode {
  /** After which a store deletes records that a bucket has. */
  public static final ColdTimes TIMES = ColdTimes.shorter(600);

  private BriefBucketNode() {}

  /** Runs as a program of its own. */
  public static void main(String[] args) {
    NodeCommand command = args[0].equals("store") ? new StoreCommand() : new IngestCommand();
    command.server.cold.times = TIMES;
    Programs.main(args[0], command, Arrays.copyOfRange(args, 1, args.length));
  }
}
