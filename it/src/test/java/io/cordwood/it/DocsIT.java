package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each block of commands in the documents is run: here, one after another and over one node, or by
 * the test that a comment before the block names, or not, for a reason that such a comment gives.
 * {@code it/docs/cordwood} stands for the program: it gives the real one the node's ports, and ends
 * what never ends once it has done its work.
 */
final class DocsIT {
  private static final Path TESTS = Path.of("src/test/java/io/cordwood/it");
  private static final Path SCRIPTS = Path.of("docs");
  private static final Set<String> LANGUAGES =
      Set.of("sh", "text", "properties", "xml", "yaml", "toml");

  private static final Set<String> REASONS =
      Set.of(
          "builds the project",
          "needs Debian with systemd",
          "needs Docker",
          "needs Kubernetes",
          "needs that sender");

  /** What another test runs by the way that its blocks look. */
  private static final Map<String, String> OTHERS =
      Map.of("README.md", "./cordwood ", "search.md", "$ ", "http-api.md", "$ ");

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?m)^[$(]? ?(\\./)?(cordwood|curl|nc|docker|kubectl|mvnw|systemctl|openssl)\\b(?!\\.)");

  @TempDir private static Path folder;
  private static NodeProcess node;

  @BeforeAll
  static void start() throws IOException {
    node = NodeProcess.start(folder.resolve("node"), "--flush-age", "1h");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static boolean isRunHere(DocBlock block) {
    String sign = OTHERS.get(block.document());
    return block.isShell()
        && block.mark().isEmpty()
        && (sign == null || !block.text().contains(sign));
  }

  @Test
  void eachBlockSaysWhatItIs() throws IOException {
    for (DocBlock block : DocBlock.all()) {
      assertThat(LANGUAGES).as(block.place()).contains(block.language());
      if (!block.isShell()) {
        assertThat(block.text()).as(block.place()).doesNotContainPattern(COMMAND);
      }
    }
  }

  @Test
  void blocksThatAreNotRunHereNameTheTestOrTheReason() throws IOException {
    for (DocBlock block : DocBlock.all()) {
      String mark = block.mark();
      if (mark.startsWith("run by ")) {
        Path test = TESTS.resolve(mark.substring("run by ".length()) + ".java");
        assertThat(test).as(block.place()).content().contains('"' + block.document() + '"');
      } else if (!mark.isEmpty()) {
        assertThat(mark).as(block.place()).startsWith("not run: ");
        assertThat(REASONS).as(block.place()).contains(mark.substring("not run: ".length()));
      }
    }
  }

  static Set<String> documents() throws IOException {
    Set<String> documents = new TreeSet<>();
    DocBlock.all().stream().filter(DocsIT::isRunHere).forEach(b -> documents.add(b.document()));
    return documents;
  }

  @ParameterizedTest
  @MethodSource("documents")
  void blocksDoWhatTheySay(String document) throws IOException {
    List<String> script = new ArrayList<>(List.of(preparations(), "begin " + document));
    for (DocBlock block : DocBlock.all()) {
      if (block.document().equals(document) && isRunHere(block)) {
        script.add("echo '== %s' >&2\n(\n%s\n)".formatted(block.place(), here(block.text())));
      }
    }
    Path file = Files.writeString(folder.resolve(document + ".sh"), String.join("\n", script));
    try (Program shell = Program.shell(folder, "exec bash -eu '" + file + "'")) {
      Program.Result result = shell.end(script.size());
      assertThat(result.exitCode()).as(result.errors() + result.text()).isZero();
    }
  }

  private static String preparations() throws IOException {
    var script = new StringBuilder();
    for (String port : List.of("api", "fast", "durable", "bulk")) {
      script.append(
          "export %s_PORT=%d\n".formatted(port.toUpperCase(Locale.ROOT), node.port(port)));
    }
    for (String program : List.of("ingest", "store", "query", "forward", "others")) {
      script.append("export %s_OPTS='%s'\n".formatted(program, ClassArchive.options(program)));
    }
    script.append(
        "export DATE=%s LISTEN_PORT=%d\n"
            .formatted(LocalDate.now(ZoneId.systemDefault()).minusDays(1), FreePorts.next()));
    script.append(". '%s'\n".formatted(SCRIPTS.resolve("prepare.sh").toAbsolutePath()));
    return script.toString();
  }

  /** On this machine, in the folder of the test, on the ports of its node. */
  private static String here(String block) {
    return block
        .replaceAll("(?m)(?<=[ ']|^)/(var|etc|opt|usr/local|run)\\b", folder + "/$1")
        .replace("localhost:7650", "localhost:" + node.apiPort())
        .replace("localhost 7651", "localhost " + node.fastPort())
        .replace("localhost 7652", "localhost " + node.durablePort())
        .replace("localhost 7653", "localhost " + node.bulkPort())
        .replace("--listen 7600", "--listen $LISTEN_PORT")
        .replace("10.0.0.", "127.0.0.")
        .replace(" …", "");
  }
}
