package io.cordwood.cli.alert;

import io.cordwood.common.text.Durations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A command of the shell that gets what a webhook gets on its standard input, and the essence in
 * variables. Its output is that of this process. It does not get this process's token.
 *
 * @param places of commands that run at the same time
 */
public record CommandTarget(String command, Duration timeout, String page, Semaphore places)
    implements Target {
  /** The most commands that run at the same time. */
  public static final int MAX_AT_ONCE = 32;

  /** For the last words of a command that failed. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  /** A variable can hold no more than some 100 KiB. */
  private static final int MAX_CHARS = 8000;

  @Override
  public String name() {
    return "exec";
  }

  @Override
  public void send(Rule rule, List<Alert> alerts) throws IOException, InterruptedException {
    byte[] body = AlertJson.webhook(rule, page, alerts).getBytes(StandardCharsets.UTF_8);
    places.acquire();
    try {
      Process process = start(rule, alerts);
      try {
        var _ = CommandOutput.pass(process.getInputStream(), System.out);
        var errors = CommandOutput.pass(process.getErrorStream(), System.err);
        Thread.ofPlatform().daemon().name("alert-input").start(() -> write(process, body));
        await(process, errors);
      } finally {
        end(process);
      }
    } finally {
      places.release();
    }
  }

  private Process start(Rule rule, List<Alert> alerts) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command);
    Map<String, String> environment = builder.environment();
    environment.remove("CORDWOOD_TOKEN");
    Alert first = alerts.getFirst();
    environment.put("ALERT_NAME", text(first.labels().getOrDefault(Rule.NAME_LABEL, rule.name())));
    environment.put("ALERT_STATUS", AlertJson.status(alerts));
    environment.put("ALERT_COUNT", Integer.toString(alerts.size()));
    environment.put("ALERT_SUMMARY", text(first.annotations().getOrDefault("summary", "")));
    environment.put("ALERT_URL", text(first.link()));
    return builder.start();
  }

  /** No character that a variable cannot hold. */
  private static String text(String value) {
    String plain = value.replaceAll("\\p{Cntrl}", " ");
    return plain.substring(0, Math.min(plain.length(), MAX_CHARS));
  }

  private static void write(Process process, byte[] body) {
    try (OutputStream in = process.getOutputStream()) {
      in.write(body);
    } catch (IOException e) {
      // A command that does not read it need not.
    }
  }

  private void await(Process process, CommandOutput errors)
      throws IOException, InterruptedException {
    if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException(
          "expected it to end within " + Durations.exact(timeout) + "; it was ended");
    }
    if (process.exitValue() != 0) {
      String why = errors.lastLine(PATIENCE);
      throw new IOException(
          "expected exit code 0, found %d%s"
              .formatted(process.exitValue(), why.isEmpty() ? "" : ": " + why));
    }
  }

  /** Ends it with all that it has started. */
  private static void end(Process process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
