package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code docs/first-hour.sh}, on ports of its own. */
final class FirstHourIT {
  private static final int STEPS = 8;

  @TempDir private Path folder;

  @Test
  void whatANewUserTypesDoesWhatItShould() throws IOException {
    String script = Path.of("..", "docs", "first-hour.sh").toAbsolutePath().normalize().toString();
    String ports =
        "export API_PORT=%d FAST_PORT=%d DURABLE_PORT=0 BULK_PORT=0 GOSSIP_PORT=0\n"
            .formatted(FreePorts.next(), FreePorts.next());
    try (Program shell = Program.shell(folder, ports + "exec '" + script + "'")) {
      Program.Result result = shell.end(STEPS);
      assertThat(result.exitCode()).as(result.errors() + result.text()).isZero();
      assertThat(result.text()).endsWith("== all is well\n");
    }
  }
}
