package io.cordwood.dist.backup;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.text.Sizes;
import io.cordwood.dist.backup.Manifest.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood restore}: makes a data folder of a backup. */
@Command(
    sortOptions = false,
    description = {
      "Make a data folder of a backup, for a node to be started on.",
      "Each file is checked to be there, with its size, before anything is copied; 'cordwood "
          + "segment verify' checks every byte.",
      "Segments are as old as in the backup, so stores delete what is older than their "
          + "--retention: set that first."
    },
    footer = {"", "  cordwood restore /var/backups/cordwood-2026-11-25 --data /var/lib/cordwood"})
public final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The backup.")
  private Path backup = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data folder: an empty one, or none yet. Default: ${DEFAULT-VALUE}.")
  private Path data = Path.of("data");

  @Option(
      names = "--new-id",
      description = "Let it be a node of its own, since the one that the backup is of lives on.")
  private boolean newId;

  @Override
  public Integer call() {
    try {
      Manifest manifest = Manifest.read(backup);
      List<Entry> files =
          manifest.files().stream().filter(file -> !newId || !isOfIdentity(file)).toList();
      new Restore(backup, data, Filesystem.real()).copy(files);
      if (newId) {
        Cluster.beginMembers(data.resolve("members"));
      }
      StandardOutput.print(
          "%s: %d files, %s; %s%n"
              .formatted(
                  data,
                  files.size(),
                  Sizes.format(files.stream().mapToLong(Entry::bytes).sum()),
                  newId ? "a new node" : "node " + manifest.node()));
      return Programs.SUCCESS;
    } catch (IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean isOfIdentity(Entry file) {
    return !file.path().contains("/");
  }
}
