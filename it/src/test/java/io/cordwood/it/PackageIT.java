package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the packages hold besides the programs. */
final class PackageIT {
  private static final Path PARTS = Path.of("../dist/package");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ingeststore", "ingest", "store", "query"})
  void everyNodeTakesTheConfigurationFileToBeginWith(String role) throws IOException {
    Path file = PARTS.resolve("cordwood.properties");
    Path all =
        Files.writeString(
            folder.resolve("all"),
            Files.readString(file)
                .replaceAll("(?m)^# (?=\\S+ = )", "")
                .replace("/etc/cordwood", folder.toString()));
    Path key = Files.writeString(folder.resolve("key"), "ab".repeat(32) + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    for (Path each : new Path[] {file, all}) {
      Program.Result result = Program.run("config", "check", "--role=" + role, each.toString());
      assertThat(result.errors()).isEmpty();
      assertThat(result.text()).endsWith(" settings, ok\n");
    }
  }

  /** The program and the manual's page are where the package puts them, not here. */
  @Test
  void systemdTakesTheUnit() throws IOException {
    try {
      Tool.run("systemd-analyze", "--version");
    } catch (IOException e) {
      Skipped.say("the unit for systemd", "no systemd-analyze: " + e.getMessage());
      return;
    }
    String unit =
        Files.readString(PARTS.resolve("cordwood@.service"))
            .replace("/usr/bin/cordwood", "/bin/true")
            .replaceFirst("(?m)^Documentation=.*\n", "");
    Path file = Files.writeString(folder.resolve("cordwood@store.service"), unit);
    assertThat(Tool.run("systemd-analyze", "verify", file.toString())).isEmpty();
    Path wrong = folder.resolve("wrong.service");
    Files.writeString(wrong, unit.replace("NoNewPrivileges=", "NoNewPriviledges="));
    assertThat(Tool.run("systemd-analyze", "verify", wrong.toString()))
        .contains("NoNewPriviledges");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postinst", "prerm", "postrm"})
  void scriptsOfThePackageAreShellScripts(String script) throws IOException {
    assertThat(Tool.run("sh", "-n", PARTS.resolve(script).toString())).isEmpty();
    assertThat(PARTS.resolve(script)).isExecutable();
  }
}
