package io.cordwood.common.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OpenSsl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortContextsTest {
  @TempDir private Path folder;

  /** Where netty-tcnative is not there, the JDK serves with both. */
  @Test
  void boringSslServesAndAsksUntilTheKeyIsReplacedByOneThatItDoesNotSignWith() throws Exception {
    var certificates = new Certificates(folder);
    Path node = certificates.node();
    Path other = certificates.nodeWithKeyOf("Ed25519");
    try (NodeTls tls = NodeTls.open(Certificates.quick(node), new SimpleMeterRegistry())) {
      var peers = new Http2ClientTls(tls.client());
      PortTls port = tls.linePort("test", false);
      assertThat(tls.linePort("answered", true).context()).isInstanceOf(JdkSslContext.class);
      assertThat(port.context() instanceof JdkSslContext).isEqualTo(!OpenSsl.isAvailable());
      assertThat(peers.current() instanceof JdkSslContext).isEqualTo(!OpenSsl.isAvailable());
      for (String file : new String[] {"ca.pem", "node.key", "node.pem"}) {
        Files.move(other.resolve(file), node.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      Awaitility.await().until(() -> port.context() instanceof JdkSslContext);
      assertThat(peers.current()).isInstanceOf(JdkSslContext.class);
    }
  }
}
