package io.cordwood.common.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RefusalsTest {
  private static final int MANY = 100_000;
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path folder;

  @Test
  void ofManyWrongTokensEachIsCountedAndFewAreWrittenDown() throws IOException {
    var registry = new SimpleMeterRegistry();
    Path audited = folder.resolve("audit.log");
    PrintStream usual = System.err;
    var log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    Path file = folder.resolve("tokens");
    TokenFile.write(file, List.of());
    try (Tokens tokens = Tokens.of(file, CLOCK, registry);
        AuditLog audit = AuditLog.of(audited, CLOCK, registry)) {
      var refusals = new Refusals(registry, audit);
      for (int i = 0; i < MANY; i++) {
        refuse(tokens, refusals);
      }
    } finally {
      System.setErr(usual);
    }
    assertThat(registry.counter("cordwood_access_refused_total", "reason", "unknown").count())
        .isEqualTo(MANY);
    assertThat(
            log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("refused")))
        .hasSizeBetween(1, 10);
    assertThat(Files.readAllLines(audited)).hasSizeBetween(1, MANY / 10);
  }

  private static void refuse(Tokens tokens, Refusals refusals) {
    try {
      tokens.known(TokenText.random());
      throw new AssertionError("a random token is known");
    } catch (DeniedException e) {
      refusals.add("", "192.0.2.1", "GET /topics", e);
    }
  }
}
