package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Environment;
import io.cordwood.cli.program.Programs;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What {@code deploy/} tells Docker and Kubernetes fits the commands. */
final class DeployTest {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Set<String> PROGRAMS =
      Set.of("ingest", "store", "ingeststore", "query", "forward", "secrets");

  /** Files in which something is started. */
  private static final String HOLD_PROGRAMS =
      ".*/(compose/.*|kubernetes/(access|forwarder|ingest|store))\\.yaml";

  static Stream<Path> manifests() throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      found =
          files
              .filter(file -> file.toString().matches(".*\\.ya?ml"))
              .filter(file -> !file.toString().contains("/templates/")) // See HelmChartTest.
              .sorted()
              .toList();
    }
    assertThat(found).hasSizeGreaterThan(4);
    return found.stream();
  }

  private static List<Map<?, ?>> maps(Path file) throws IOException {
    return Manifests.maps(Manifests.in(file));
  }

  private static CommandLine line(String role) {
    return Programs.line("cordwood " + role, Objects.requireNonNull(Cordwood.named(role)));
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void everyProgramCanBeStartedWithItsFlagsAndVariables(Path file) throws IOException {
    int programs = 0;
    for (Map<?, ?> map : maps(file)) {
      Object command = map.containsKey("args") ? map.get("args") : map.get("command");
      if (command instanceof List<?> words && PROGRAMS.contains(String.valueOf(words.getFirst()))) {
        programs++;
        String program = words.getFirst().toString();
        Stream<String> flags =
            words.stream()
                .skip(1)
                .map(word -> word.toString().replaceAll("\\$\\([A-Z_]+\\)", "pod-0"));
        Programs.parse(
            line(program),
            Map.of(),
            Stream.concat(withoutFiles(program), flags).toArray(String[]::new));
      }
      if (map.get("environment") instanceof Map<?, ?> variables) {
        assertThat(variablesOf(line("ingeststore"))).containsAll(keys(variables));
      }
    }
    assertThat(programs > 0)
        .as("programs in %s", file)
        .isEqualTo(file.toString().matches(HOLD_PROGRAMS));
  }

  /** Nodes look for a file of settings. */
  private static Stream<String> withoutFiles(String program) {
    return program.equals("forward") || program.equals("secrets")
        ? Stream.empty()
        : Stream.of("--config=/dev/null");
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
            if (named.containsKey("name")) {
              assertThat(number).isEqualTo(usual(String.valueOf(named.get("name"))));
            } else {
              assertThat(usualPorts()).contains((Integer) number);
            }
          } else {
            String inside = String.valueOf(port).replaceFirst(".*:", "");
            assertThat(usualPorts()).contains(Integer.valueOf(inside));
          }
        }
      }
    }
  }

  private static Stream<Integer> usualPorts() {
    return Stream.of("api", "fast", "durable", "bulk", "gossip").map(DeployTest::usual);
  }

  private static int usual(String port) {
    CommandLine line = line("ingeststore");
    line.parseArgs("--config=/dev/null");
    return line.getCommandSpec().findOption("--" + port + "-port").getValue();
  }
}
