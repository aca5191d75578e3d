package io.cordwood.agent;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.forwarder.SpoolOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code cordwood forward} without {@code --file}. */
final class StreamFlags implements Flags {
  @Nullable String command;
  List<String> listen = new ArrayList<>();
  @Nullable Path spoolFolder;
  @Nullable Long spoolBytes;

  @Override
  public void list(FlagList list) {
    list.flag("--exec")
        .label("COMMAND")
        .help(
            "Send the lines that a shell's command prints, such as 'journalctl -f -o cat', instead "
                + "of reading standard input; end when it ends.")
        .value(String.class, command, value -> command = value);
    list.flag("--listen")
        .label("ADDRESS")
        .help(
            "Send the lines of programs on this machine that connect to a port, HOST:PORT of the"
                + " loopback interface, or a Unix socket such as /run/lines.sock, instead of"
                + " reading standard input. Can be repeated.")
        .list(String.class, listen, value -> listen = value);
    list.flag("--spool-dir")
        .label("FOLDER")
        .help(
            "Keep lines in this folder that memory has no room for, and those that no node has "
                + "acknowledged at the end; the next start sends them.")
        .value(Path.class, spoolFolder, value -> spoolFolder = value);
    list.flag("--spool-size")
        .label("BYTES")
        .help("Most bytes in that folder, 8MiB to 1TiB. Default: 1GiB.")
        .size(spoolBytes, value -> spoolBytes = value);
  }

  /** Refuses what makes no sense beside another flag: {@code --file}, or {@code --journal}. */
  void checkAbsent(String other) {
    refuse("--exec", command != null, other);
    refuse("--listen", !listen.isEmpty(), other);
    refuse("--spool-dir", spoolFolder != null, other);
    refuse("--spool-size", spoolBytes != null, other);
  }

  private static void refuse(String flag, boolean given, String other) {
    if (given) {
      throw new CommandException(flag + ": expected without " + other + ", found with it");
    }
  }

  /** Refuses what does not go together. */
  void check(boolean bulk) {
    if (command != null && !listen.isEmpty()) {
      throw new CommandException("expected --exec or --listen, found both");
    }
    if (bulk && spoolFolder != null) {
      throw new CommandException("--spool-dir: expected without --bulk, found with it");
    }
    if (spoolBytes != null && spoolFolder == null) {
      throw new CommandException("--spool-size: expected with --spool-dir, found without");
    }
  }

  /**
   * The spool that was asked for; null for none.
   *
   * @throws CommandException when it cannot be used now
   */
  @Nullable SpoolOptions spool() {
    if (spoolFolder == null) {
      return null;
    }
    try {
      SpoolOptions spool =
          new SpoolOptions(
              spoolFolder, spoolBytes == null ? SpoolOptions.DEFAULT_BYTES : spoolBytes);
      spool.check();
      return spool;
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Opens the input; a command runs from now on, and a port takes connections. */
  ForwardInput input(boolean quiet) {
    if (command != null) {
      return CommandInput.start(command);
    }
    if (listen.isEmpty()) {
      return new StandardInput();
    }
    SocketInput input = SocketInput.open(listen);
    if (!quiet) {
      input.addresses().forEach(at -> ForwardLog.say("listening at " + at));
    }
    return input;
  }
}
