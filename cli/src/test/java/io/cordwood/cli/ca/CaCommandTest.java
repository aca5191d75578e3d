package io.cordwood.cli.ca;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.cli.program.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cordwood ca} and what it does not take. */
final class CaCommandTest {
  @TempDir private Path folder;

  private String said = "";

  /** The exit code; what is said is kept. */
  private int ca(String... arguments) {
    String[] all =
        Stream.concat(
                Stream.of(arguments[0], "--dir", folder.resolve("ca").toString()),
                Stream.of(arguments).skip(1))
            .toArray(String[]::new);
    CommandRun run = CommandRun.of("ca", new CaCommand(), all);
    said = run.err();
    return run.code();
  }

  private int node(String... arguments) {
    return ca(
        Stream.concat(
                Stream.of("node", "--out", folder.resolve("node").toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private void assertRefused(int exitCode, String why) {
    assertThat(exitCode).as(said).isEqualTo(Programs.ERROR);
    assertThat(said).contains(why).doesNotContain("\tat ");
    assertThat(folder.resolve("node")).doesNotExist();
  }

  @Test
  void aKeyThatIsRenewedKeepsItsModeAndIsClosedToOthers() throws IOException {
    Path key = folder.resolve("node").resolve("node.key");
    assertThat(ca("init")).isZero();
    assertThat(node("log1")).isZero();
    assertThat(mode(key)).isEqualTo("rw-------");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(node("--force", "log1")).as(said).isZero();
    assertThat(mode(key)).isEqualTo("rw-r-----");
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @ParameterizedTest
  @CsvSource({
    "log1;log2, expected a host's name such as log1.example.com",
    "log..1, expected a host's name",
    "10.0.0.256.1.x y, expected a host's name",
    "'', expected a host's name"
  })
  void namesThatNoHostHasAreRefused(String name, String why) {
    assertThat(ca("init")).isZero();
    assertRefused(node(name), why);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 'expected 1 to 3650, found 0'",
    "3651, 'expected 1 to 3650, found 3651'",
    "-1, 'expected 1 to 3650, found -1'",
    "soon, 'expected a whole number, found \"soon\"'"
  })
  void daysThatNoCertificateHasAreRefused(String days, String why) {
    assertThat(ca("init")).isZero();
    assertRefused(node("--days=" + days, "localhost"), why);
  }

  @Test
  void withoutAnAuthorityThereIsNoCertificate() {
    assertRefused(node("localhost"), "ca");
  }

  @Test
  void anAuthorityWhoseFilesAreDamagedOrNoPairIsRefused() throws IOException {
    assertThat(ca("init")).isZero();
    for (String name : List.of("ca.pem", "ca.key")) {
      Path file = folder.resolve("ca").resolve(name);
      byte[] good = Files.readAllBytes(file);
      byte[] random = new byte[good.length];
      new Random(5).nextBytes(random);
      for (byte[] bad : List.of(new byte[0], random, Arrays.copyOf(good, 100))) {
        Files.write(file, bad);
        assertRefused(node("localhost"), name);
      }
      Files.write(file, good);
    }
    byte[] key = Files.readAllBytes(folder.resolve("ca/ca.key"));
    assertThat(ca("init", "--force")).isZero();
    Files.write(folder.resolve("ca/ca.key"), key);
    assertRefused(node("localhost"), "ca.key");
  }

  @Test
  void nothingIsReplacedUnlessThatIsAskedFor() throws IOException {
    assertThat(ca("init")).isZero();
    byte[] authority = Files.readAllBytes(folder.resolve("ca/ca.pem"));
    assertThat(node("localhost")).isZero();
    byte[] key = Files.readAllBytes(folder.resolve("node/node.key"));
    assertThat(ca("init")).isEqualTo(Programs.ERROR);
    assertThat(said).contains("is there already; --force replaces it");
    assertThat(node("localhost")).isEqualTo(Programs.ERROR);
    assertThat(said).contains("is there already; --force replaces it");
    assertThat(folder.resolve("ca/ca.pem")).hasBinaryContent(authority);
    assertThat(folder.resolve("node/node.key")).hasBinaryContent(key);
    assertThat(node("--force", "localhost")).isZero();
    assertThat(Files.readAllBytes(folder.resolve("node/node.key"))).isNotEqualTo(key);
  }

  @Test
  void clientsHaveNames() {
    assertThat(ca("init")).isZero();
    String out = folder.resolve("node").toString();
    assertRefused(ca("client", "--out", out, "../alice"), "expected a client's name");
    assertRefused(ca("client", "--out", out, "a".repeat(65)), "a client's name of at most 64 ");
    assertRefused(ca("client", "--out", out), "Missing required parameter");
  }
}
