package io.cordwood.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.ca.Validity;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log says of a certificate that is about to expire. */
final class ExpiryWarningTest {
  private static final String WARNING = "TLS: the certificate of this node expires at ";

  @TempDir private Path folder;

  private final PrintStream usual = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void listenNoMore() {
    System.setErr(usual);
  }

  private String log() {
    return log.toString(StandardCharsets.UTF_8);
  }

  /** The same certificate, in a file that seems to be another one. */
  private static void readAgain(Path file, long modifiedMillis, SimpleMeterRegistry registry)
      throws IOException {
    Counter reloads = registry.get("cordwood_tls_reloads_total").tag("result", "ok").counter();
    double before = reloads.count();
    Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMillis));
    await().until(() -> reloads.count() > before);
  }

  @Test
  void aNodeWarnsOnceFromFourteenDaysBeforeItsCertificateExpires() throws Exception {
    var certificates = new Certificates(folder);
    Path files = certificates.node(Validity.forDays(15), "localhost");
    Path last = certificates.node(Validity.forDays(13), "localhost");
    var registry = new SimpleMeterRegistry();
    try (NodeTls tls = NodeTls.open(Certificates.patient(files), registry)) {
      assertThat(tls.client()).isNotNull();
      // Looking at replaced files shows that the ones before were looked at, too.
      for (String name : new String[] {"node.key", "node.pem"}) {
        Files.move(last.resolve(name), files.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
      await().until(() -> log().contains(WARNING));
      // The second time shows that all was said of the first.
      readAgain(files.resolve("node.pem"), 1, registry);
      readAgain(files.resolve("node.pem"), 2, registry);
    }
    double expiry =
        registry.get("cordwood_tls_certificate_expiry_timestamp_seconds").gauge().value();
    assertThat(log().split(WARNING, -1)).hasSize(2);
    String told = log().substring(log().indexOf(WARNING) + WARNING.length()).split(";", 2)[0];
    assertThat((double) Instant.parse(told).getEpochSecond()).isEqualTo(expiry);
  }
}
