package io.cordwood.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What Log4j's annotation processors leave in the artifact. */
final class PluginMetadataTest {
  private static final String METADATA =
      "META-INF/native-image/log4j-generated/io.cordwood/cordwood-log4j2/reflect-config.json";

  private static String resource(String name) throws IOException {
    URI place =
        URI.create(
            CordwoodAppender.class.getProtectionDomain().getCodeSource().getLocation() + name);
    try (InputStream in = place.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void pluginIsFoundWithoutScanningPackages() throws IOException {
    String plugins =
        resource("META-INF/org/apache/logging/log4j/core/config/plugins/Log4j2Plugins.dat");
    assertThat(plugins).contains(CordwoodAppender.class.getName(), "cordwood");
  }

  @Test
  void nativeImagesKnowTheBuilder() throws IOException {
    String metadata = resource(METADATA);
    assertThat(metadata)
        .contains(CordwoodAppender.class.getName(), CordwoodAppender.Builder.class.getName())
        .contains("\"targets\"", "newBuilder");
  }
}
