package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the shell blocks of the README as they stand there, one after another in one shell, in an
 * empty folder. A {@code ./cordwood} stands in that folder which passes everything on to the real
 * one, with ports of its own where the README leaves the usual ones. Blocks without that are left
 * to {@link DocsIT}.
 */
final class ReadmeIT {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

  private static final String WRAPPER =
      """
      #!/bin/sh
      case $1 in
        ingeststore) set -- "$@" --api-port=API --fast-port=FAST \\
          --durable-port=0 --bulk-port=0 --gossip-port=0 ;;
        forward) set -- "$@:FAST" ;;
        grep) set -- "$@" --node=localhost:API ;;
      esac
      exec "$CORDWOOD" "$@"
      """;

  @TempDir private Path folder;

  @Test
  void shellBlocksDoWhatTheySay() throws IOException {
    int apiPort = FreePorts.next();
    String wrapper = WRAPPER.replace("API", "" + apiPort).replace("FAST", "" + FreePorts.next());
    Path launcher = Files.writeString(folder.resolve("cordwood"), wrapper);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    List<String> blocks = blocks();
    assertThat(blocks).isNotEmpty();
    String script =
        "trap 'kill $! 2>/dev/null; wait' EXIT\n"
            + String.join("\n", blocks).replace("localhost:7650", "localhost:" + apiPort);
    try (Program shell = Program.shell(folder, script)) {
      Program.Result result = shell.end(blocks.size());
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(result.text()).contains("is ready after");
      assertThat(result.text().lines().filter(line -> line.contains(" ERROR "))).hasSize(3);
    }
  }

  private static List<String> blocks() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    return BLOCK
        .matcher(readme)
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains("./cordwood "))
        .toList();
  }
}
