package io.cordwood.common.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog.Entry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditLogTest {
  @TempDir Path folder;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private static Entry entry(String detail) {
    return new Entry(
        "ann", "192.0.2.1", "GET /query", detail, "200", Duration.ofMillis(12), 3, 456);
  }

  private AuditLog open(long maxBytes) throws IOException {
    return new AuditLog(folder.resolve("audit.log"), maxBytes, () -> Instant.EPOCH, registry);
  }

  @Test
  void aLineSaysWhoAskedForWhatAndWhatHeGot() throws IOException {
    try (AuditLog log = open(1 << 20)) {
      log.asked(entry("q=\"a\nb\""));
    }
    assertThat(folder.resolve("audit.log"))
        .content()
        .isEqualTo(
            "{\"time\":\"1970-01-01T00:00:00Z\",\"token\":\"ann\",\"address\":\"192.0.2.1\","
                + "\"what\":\"GET /query\",\"detail\":\"q=\\\"a\\nb\\\"\",\"outcome\":\"200\","
                + "\"millis\":12,\"records\":3,\"bytes\":456}\n");
  }

  @Test
  void aFullFileIsRotatedAndTheOldestGoes() throws IOException {
    try (AuditLog log = open(1)) {
      for (int i = 0; i < 9; i++) {
        log.asked(entry("q=" + i));
      }
    }
    for (int old = 0; old <= 4; old++) {
      Path file = folder.resolve("audit.log" + (old == 0 ? "" : "." + old));
      assertThat(file).content().contains("q=" + (8 - old) + "\"").hasLineCount(1);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**audit.log.5");
  }

  private String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
  }

  @Test
  void itsOwnerAloneReadsIt() throws IOException {
    try (AuditLog log = open(1)) {
      log.asked(entry("q=1"));
      log.asked(entry("q=2"));
    }
    assertThat(mode("audit.log")).isEqualTo("rw-------");
    assertThat(mode("audit.log.1")).isEqualTo("rw-------");
  }

  @Test
  void filesOfBeforeThatAllCouldReadAreClosedAndOneForAGroupStays() throws IOException {
    for (String name : List.of("audit.log", "audit.log.1", "audit.log.2")) {
      Path file = Files.writeString(folder.resolve(name), "{}\n");
      String mode = name.endsWith("2") ? "rw-r-----" : "rw-r--r--";
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
    open(1 << 20).close();
    assertThat(mode("audit.log")).isEqualTo("rw-------");
    assertThat(mode("audit.log.1")).isEqualTo("rw-------");
    assertThat(mode("audit.log.2")).isEqualTo("rw-r-----");
  }

  @Test
  void whatComesAfterTheEndIsCountedAndNotWritten() throws IOException {
    AuditLog log = open(1 << 20);
    log.close();
    log.asked(entry("q=1"));
    assertThat(folder.resolve("audit.log")).isEmptyFile();
    assertThat(registry.counter("cordwood_audit_lost_total").count()).isEqualTo(1);
  }

  @Test
  void itGoesOnBehindWhatWasThere() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (AuditLog log = open(1 << 20)) {
        log.asked(entry("q=" + i));
      }
    }
    assertThat(Files.readAllLines(folder.resolve("audit.log"))).hasSize(2);
  }

  @Test
  void ofManyRefusalsSomeAreWrittenAndTheOthersCounted() throws IOException {
    try (AuditLog log = open(1 << 20)) {
      int many = 100_000;
      for (int i = 0; i < many; i++) {
        log.refused(entry("a wrong token"));
      }
      await().until(() -> Files.size(folder.resolve("audit.log")) > 0);
      log.asked(entry("the next one"));
      List<String> lines = Files.readAllLines(folder.resolve("audit.log"));
      assertThat(lines).hasSizeLessThan(many / 10);
      assertThat(String.join("", lines)).contains("refusals_left_out");
    }
  }
}
