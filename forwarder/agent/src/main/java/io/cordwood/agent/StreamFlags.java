package io.cordwood.agent;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Values;
import io.cordwood.forwarder.SpoolOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of {@code cordwood forward} without {@code --file}. */
final class StreamFlags {
  @Option(
      names = "--exec",
      paramLabel = "COMMAND",
      description =
          "Send the lines that a shell's command prints, such as 'journalctl -f -o cat', instead "
              + "of reading standard input; end when it ends.")
  @Nullable String command;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "Send the lines of programs on this machine that connect to a port, HOST:PORT of the "
              + "loopback interface, or a Unix socket such as /run/lines.sock, instead of reading "
              + "standard input. Can be repeated.")
  List<String> listen = new ArrayList<>();

  @Option(
      names = "--spool-dir",
      paramLabel = "FOLDER",
      description =
          "Keep lines in this folder that memory has no room for, and those that no node has "
              + "acknowledged at the end; the next start sends them.")
  @Nullable Path spoolFolder;

  @Option(
      names = "--spool-size",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description = "Most bytes in that folder, 8MiB to 1TiB. Default: 1GiB.")
  @Nullable Long spoolBytes;

  /** Refuses what makes sense without {@code --file} alone. */
  void checkAbsent() {
    refuse("--exec", command != null);
    refuse("--listen", !listen.isEmpty());
    refuse("--spool-dir", spoolFolder != null);
    refuse("--spool-size", spoolBytes != null);
  }

  private static void refuse(String flag, boolean given) {
    if (given) {
      throw new CommandException(flag + ": expected without --file, found with it");
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
