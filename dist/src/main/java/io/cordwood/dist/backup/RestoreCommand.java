package io.cordwood.dist.backup;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.text.Sizes;
import io.cordwood.dist.backup.Manifest.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code cordwood restore}: makes a data folder of a backup. */
public final class RestoreCommand implements Command {
  private Path backup = Path.of("");

  private Path data = Path.of("data");

  private boolean newId;

  @Override
  public void list(FlagList list) {
    list.description(
        "Make a data folder of a backup, for a node to be started on.",
        "Each file is checked to be there, with its size, before anything is copied; 'cordwood "
            + "segment verify' checks every byte.",
        "Segments are as old as in the backup, so stores delete what is older than their "
            + "--retention: set that first.");
    list.footer("", "  cordwood restore /var/backups/cordwood-2026-11-25 --data /var/lib/cordwood");
    list.argument("0", "1")
        .label("DIR")
        .help("The backup.")
        .value(Path.class, backup, value -> backup = value);
    list.flag("--data")
        .label("DIR")
        .help("The data folder: an empty one, or none yet. Default: ${DEFAULT-VALUE}.")
        .value(Path.class, data, value -> data = value);
    list.flag("--new-id")
        .help("Let it be a node of its own, since the one that the backup is of lives on.")
        .on(value -> newId = value);
  }

  @Override
  public Integer call() {
    try {
      Manifest manifest = Manifest.read(backup);
      List<Entry> files =
          manifest.files().stream().filter(file -> !newId || !isOfIdentity(file)).toList();
      new Restore(backup, data, Filesystem.real()).copy(files);
      if (newId) {
        Cluster.beginMembers(data.resolve(Backup.MEMBERS), Filesystem.real());
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

  /** Deletions are those of every node. */
  private static boolean isOfIdentity(Entry file) {
    return !file.path().contains("/") && !file.path().equals(Deletions.FILE);
  }
}
