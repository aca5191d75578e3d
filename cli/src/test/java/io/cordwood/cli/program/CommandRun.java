package io.cordwood.cli.program;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A command that was run within this process.
 *
 * @param err what it said on standard error
 */
public record CommandRun(int code, String err) {
  public static CommandRun of(String name, Command command, String... arguments) {
    var err = new ByteArrayOutputStream();
    PrintStream before = System.err;
    try (var fresh = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      System.setErr(fresh);
      var line = Programs.line("cordwood " + name, command);
      return new CommandRun(Programs.run(line, arguments), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }
}
