package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packages for Debian and for Fedora, built from these jars, each on a copy of this machine's
 * system; skipped where that cannot be.
 */
final class InstalledPackagesIT {
  private static final int UNABLE = 77;

  /** A package is built, or a node started, stopped and upgraded, by one command. */
  private static final int STEPS = 10;

  /** With this a line begins on what a machine could not try. */
  private static final String LEFT_OUT = "try-package: left out: ";

  @TempDir private static Path packages;

  private static Outcome built;

  @TempDir private Path folder;

  @BeforeAll
  static void build() throws Exception {
    built = run("../dist/package/build-packages", "--trial", packages.toString());
    assertThat(built.exitCode).as(built.output).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {".deb", ".rpm"})
  void packageIsInstalledRunUpgradedAndRemoved(String kind) throws Exception {
    List<Path> found;
    try (Stream<Path> files = Files.list(packages)) {
      found = files.filter(file -> file.toString().endsWith(kind)).toList();
    }
    if (found.isEmpty()) {
      Skipped.say("the package " + kind, built.output);
      return;
    }
    Path access = folder.resolve("access");
    Files.writeString(access, DocBlock.runBy(InstalledPackagesIT.class, "install.md").text());
    Outcome tried = run("package/try-package", found.getFirst().toString(), access.toString());
    if (tried.exitCode == UNABLE) {
      Skipped.say("the package " + kind, tried.output);
      return;
    }
    assertThat(tried.exitCode).as(tried.output).isZero();
    tried
        .output
        .lines()
        .filter(line -> line.startsWith(LEFT_OUT))
        .forEach(line -> Skipped.say("all of the package's unit", line));
    assertThat(tried.output).endsWith("installed, run, upgraded and removed\n");
  }

  private record Outcome(int exitCode, String output) {}

  private static Outcome run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(packages, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(STEPS * Program.LONG.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(Files.readString(output)).isTrue();
      return new Outcome(process.exitValue(), Files.readString(output));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
