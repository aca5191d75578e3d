package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes search with vectors, and nobody who starts one hears from the JVM how. */
final class VectorModuleIT {
  @TempDir private Path folder;

  @Test
  void aNodeLoadsTheModuleWithoutAWordFromTheJvm() throws IOException {
    Path log = folder.resolve("classes");
    String options = "-XX:TieredStopAtLevel=4 -Xlog:class+load=info:file=" + log;
    String[] arguments = NodeProcess.arguments("query", folder);
    try (Program node = Program.startWith(options, arguments)) {
      node.awaitOut(NodeProcess.PORTS);
      for (String loaded :
          List.of("io.cordwood.query.match.VectorKernel ", "jdk.incubator.vector.ByteVector ")) {
        await(loaded).until(() -> Files.readString(log).contains(loaded));
      }
      assertThat(node.err()).doesNotContain("WARNING");
    }
  }

  /** Of a mistake, nothing but the message is on standard error. */
  @ParameterizedTest
  @ValueSource(strings = {"ingeststore", "ingest", "store", "query"})
  void aMistakeAtTheStartOfANodeIsOneLine(String role) throws IOException {
    Program.Result result = Program.run(role, "--api-port=x");
    assertThat(result.errors().lines()).singleElement().asString().contains("--api-port");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-ingeststore", "-ingest", "-store", "-query"})
  void theJarOfANodeMayLoadTheModule(String program) throws IOException {
    try (var jar = new JarFile(Program.JARS.resolve("cordwood" + program + ".jar").toFile())) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Add-Exports"))
          .isEqualTo("java.base/jdk.internal.module");
    }
  }
}
