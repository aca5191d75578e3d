package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrustFileTest {
  @TempDir Path folder;

  /** Any one that the JVM trusts. */
  private static byte[] authority() throws Exception {
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    var trusted = ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers()[0];
    String text = Base64.getMimeEncoder().encodeToString(trusted.getEncoded());
    return ("-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void write(Path file, byte[] bytes, long millis) throws IOException {
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
  }

  @Test
  void whatCouldNotBeReadIsReadOnceItCanBe() throws Exception {
    Path file = folder.resolve("ca.pem");
    byte[] good = authority();
    write(file, good, 1000);
    var trust = new TrustFile(file);
    SSLContext before = trust.get();
    assertThat(trust.get()).isSameAs(before);
    write(file, new byte[good.length], 2000);
    assertThat(trust.get()).isSameAs(before);
    write(file, good, 2000); // nothing shows that it can be read now
    assertThat(trust.get()).isNotSameAs(before);
  }
}
