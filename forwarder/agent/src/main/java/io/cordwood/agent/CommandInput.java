package io.cordwood.agent;

import io.cordwood.cli.program.CommandException;
import io.cordwood.forwarder.Forwarder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;

/**
 * The lines that a command of the shell prints on its standard output; its standard error is that
 * of this process, and its standard input is empty. It does not get this process's token.
 */
final class CommandInput implements ForwardInput {
  private static final File NOTHING = new File("/dev/null");

  private final Process process;
  private volatile boolean stopped;

  private CommandInput(Process process) {
    this.process = process;
  }

  /** Starts it. */
  static CommandInput start(String command) {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT).redirectInput(NOTHING);
    builder.environment().remove("CORDWOOD_TOKEN");
    try {
      return new CommandInput(builder.start());
    } catch (IOException e) {
      throw new CommandException("--exec: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean pump(Forwarder forwarder) throws IOException {
    boolean taken;
    try (InputStream out = process.getInputStream()) {
      taken = StandardInput.pump(out, forwarder);
    }
    if (!taken) {
      stop(); // nobody reads what it prints
    }
    int exitCode = process.onExit().join().exitValue();
    if (exitCode != 0 && !stopped) {
      ForwardLog.say("--exec: the command ended with exit code " + exitCode);
    }
    return taken && exitCode == 0;
  }

  /** The command is asked to end, with all that it started; what it prints meanwhile is sent. */
  @Override
  public boolean stop() {
    stopped = true;
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    return true;
  }
}
