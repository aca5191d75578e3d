package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Environment;
import io.cordwood.cli.program.Programs;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import picocli.CommandLine;

/** What {@code deploy/} tells Docker and Kubernetes fits the commands. */
final class DeployTest {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Set<String> ROLES = Set.of("ingest", "store", "ingeststore", "query");

  static Stream<Path> manifests() throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      found = files.filter(file -> file.toString().matches(".*\\.ya?ml")).sorted().toList();
    }
    assertThat(found).hasSizeGreaterThan(4);
    return found.stream();
  }

  private static List<Map<?, ?>> maps(Path file) throws IOException {
    var settings =
        LoadSettings.builder().setLabel(file.toString()).setSchema(new CoreSchema()).build();
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object document : new Load(settings).loadAllFromString(Files.readString(file))) {
      collect(document, found);
    }
    return found;
  }

  private static void collect(Object part, List<Map<?, ?>> found) {
    if (part instanceof Map<?, ?> map) {
      found.add(map);
      map.values().forEach(each -> collect(each, found));
    } else if (part instanceof Collection<?> list) {
      list.forEach(each -> collect(each, found));
    }
  }

  private static CommandLine line(String role) {
    return Programs.line("cordwood " + role, Objects.requireNonNull(Cordwood.named(role)));
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void everyNodeCanBeStartedWithItsFlagsAndVariables(Path file) throws IOException {
    int nodes = 0;
    for (Map<?, ?> map : maps(file)) {
      Object command = map.containsKey("args") ? map.get("args") : map.get("command");
      if (command instanceof List<?> words && ROLES.contains(String.valueOf(words.getFirst()))) {
        nodes++;
        CommandLine line = line(words.getFirst().toString());
        Stream<String> flags =
            words.stream().skip(1).map(word -> word.toString().replace("$(POD_NAME)", "pod-0"));
        Programs.parse(
            line,
            Map.of(),
            Stream.concat(Stream.of("--config=/dev/null"), flags).toArray(String[]::new));
      }
      if (map.get("environment") instanceof Map<?, ?> variables) {
        assertThat(variablesOf(line("ingeststore"))).containsAll(keys(variables));
      }
    }
    boolean holdsNodes = !file.toString().matches(".*/(alerts\\.yml|kustomization\\.yaml)");
    assertThat(nodes > 0).as("nodes in %s", file).isEqualTo(holdsNodes);
  }

  private static Set<String> variablesOf(CommandLine line) {
    Set<String> names = new TreeSet<>();
    line.getCommandSpec().options().forEach(option -> names.addAll(Environment.names(option)));
    return names;
  }

  private static Set<String> keys(Map<?, ?> map) {
    Set<String> keys = new TreeSet<>();
    map.keySet().forEach(key -> keys.add(String.valueOf(key)));
    return keys;
  }

  /** Named as the flags that have it as their default. */
  @ParameterizedTest
  @MethodSource("manifests")
  void everyPortIsOneThatNodesListenOn(Path file) throws IOException {
    for (Map<?, ?> map : maps(file)) {
      if (map.get("ports") instanceof List<?> ports) {
        for (Object port : ports) {
          if (port instanceof Map<?, ?> named) {
            Object number =
                named.containsKey("port") ? named.get("port") : named.get("containerPort");
            assertThat(number).isEqualTo(usual(String.valueOf(named.get("name"))));
          } else {
            String inside = String.valueOf(port).replaceFirst(".*:", "");
            assertThat(Stream.of("api", "fast", "durable", "bulk").map(DeployTest::usual))
                .contains(Integer.valueOf(inside));
          }
        }
      }
    }
  }

  private static int usual(String port) {
    CommandLine line = line("ingeststore");
    line.parseArgs("--config=/dev/null");
    return line.getCommandSpec().findOption("--" + port + "-port").getValue();
  }
}
