package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The package for Debian, built from these jars, on a copy of this machine's system; skipped where
 * that cannot be.
 */
final class DebIT {
  private static final int UNABLE = 77;

  /** A package is built, or a node started, stopped and upgraded, by one command. */
  private static final int STEPS = 10;

  /** With this a line begins on what a machine could not try. */
  private static final String LEFT_OUT = "try-deb: left out: ";

  @TempDir private Path folder;

  @Test
  void packageIsInstalledRunUpgradedRemovedAndPurged() throws Exception {
    Path packages = folder.resolve("packages");
    Outcome built = run("../dist/package/build-packages", "--trial", packages.toString());
    assertThat(built.exitCode).as(built.output).isZero();
    List<Path> found;
    try (Stream<Path> files = Files.list(packages)) {
      found = files.filter(file -> file.toString().endsWith(".deb")).toList();
    }
    if (found.isEmpty()) {
      Skipped.say("the package for Debian", built.output);
      return;
    }
    Path access = folder.resolve("access");
    Files.writeString(access, DocBlock.runBy(DebIT.class, "install.md").text());
    Outcome tried = run("package/try-deb", found.getFirst().toString(), access.toString());
    if (tried.exitCode == UNABLE) {
      Skipped.say("the package for Debian", tried.output);
      return;
    }
    assertThat(tried.exitCode).as(tried.output).isZero();
    tried
        .output
        .lines()
        .filter(line -> line.startsWith(LEFT_OUT))
        .forEach(line -> Skipped.say("all of the package's unit", line));
    assertThat(tried.output).endsWith("installed, run, upgraded, removed and purged\n");
  }

  private record Outcome(int exitCode, String output) {}

  private Outcome run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
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
