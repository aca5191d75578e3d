package io.cordwood.dist.backup;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.text.Sizes;
import java.io.IOException;
import java.nio.file.Path;

/** {@code cordwood backup}: keeps a node's data folder as it is now. */
public final class BackupCommand implements Command {
  private Path target = Path.of("");

  private Path data = Path.of("data");

  private boolean copy;

  @Override
  public void list(FlagList list) {
    list.description(
        "Keep what a node holds now in another folder, while the node runs or not.",
        "Store segments, which never change, are linked where DIR is on the same file system, so"
            + " that takes no room and no time; what is still on its way to a store is copied. Copy"
            + " DIR to another machine with whatever you like: files keep their names from one"
            + " backup to the next, so rsync sends only new ones.");
    list.footer(
        "",
        "All that was acknowledged before it began is in it. Of a cluster, take those of the"
            + " ingest",
        "nodes first, then those of the stores.",
        "",
        "  cordwood backup --data /var/lib/cordwood /var/backups/cordwood-$(date +%%F)",
        "  cordwood restore /var/backups/cordwood-2026-11-25 --data /var/lib/cordwood");
    list.argument("0", "1")
        .label("DIR")
        .help("Where to: an empty folder, or none yet.")
        .value(Path.class, target, value -> target = value);
    list.flag("--data")
        .label("DIR")
        .help("The node's data folder. Default: ${DEFAULT-VALUE}.")
        .value(Path.class, data, value -> data = value);
    list.flag("--copy")
        .help("Copy store segments, too, so that a disk that fails takes one of both only.")
        .on(value -> copy = value);
  }

  @Override
  public Integer call() {
    try {
      Backup backup = new Backup(data, target, !copy);
      Manifest manifest = backup.take();
      String how = backup.copiedSegments() == 0 ? "" : ", " + backup.copiedSegments() + " copied";
      StandardOutput.print(
          "%s: %d files, %s%s; of node %s, all that was acknowledged before %s%n"
              .formatted(
                  target,
                  manifest.files().size(),
                  Sizes.format(manifest.bytes()),
                  how,
                  manifest.node(),
                  manifest.began()));
      return Programs.SUCCESS;
    } catch (IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
