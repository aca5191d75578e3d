package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code docs/operations.md} names is there in the programs. */
final class OperationsIT {
  private static final Pattern METRIC = Pattern.compile("\\bcordwood_\\w+");
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");
  private static final Pattern COMMAND_LINE = Pattern.compile("(?m)^(cordwood|PEERS=|Exec).*");

  /** A timer or a summary has these behind its name. */
  private static final Pattern PARTS = Pattern.compile("_(count|sum|max|bucket)$");

  private final String document = Files.readString(Path.of("..", "docs", "operations.md"));

  @TempDir private Path folder;

  OperationsIT() throws IOException {}

  @Test
  void namedMetricsAreThere() throws IOException {
    Set<String> there = new TreeSet<>();
    String authority = folder.resolve("ca").toString();
    String files = folder.resolve("files").toString();
    assertThat(Program.run("ca", "init", "--dir", authority).errors()).isEmpty();
    assertThat(
            Program.run("ca", "node", "--dir", authority, "--out", files, "localhost").exitCode())
        .isZero();
    try (NodeProcess node = NodeProcess.start(folder, "--tls-dir", files)) {
      String metrics = "https://localhost:" + node.apiPort() + "/metrics";
      String shown = Tool.run("curl", "-sS", "--cacert", authority + "/ca.pem", metrics);
      assertThat(Files.readString(Path.of("..", "docs", "metrics.md")))
          .endsWith(MetricReference.tls(shown));
      METRIC.matcher(shown).results().forEach(metric -> add(metric.group(), there));
    }
    Set<String> named = named(METRIC, document);
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(there).containsAll(named);
  }

  private static void add(String metric, Set<String> there) {
    there.add(metric);
    there.add(PARTS.matcher(metric).replaceFirst(""));
  }

  private static Set<String> named(Pattern what, String text) {
    return what.matcher(text)
        .results()
        .map(found -> found.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** In command lines, and where a flag stands alone between backquotes. */
  @Test
  void namedFlagsAreThere() throws IOException {
    String lines = String.join("\n", named(COMMAND_LINE, document));
    Set<String> flags = named(FLAG, lines);
    flags.addAll(named(Pattern.compile("(?<=`)--[a-z][a-z-]+(?=[` ])"), document));
    assertThat(flags).hasSizeGreaterThan(5);
    var help = new StringBuilder();
    for (String command :
        List.of(
            "ingest", "store", "ingeststore", "forward", "backup", "restore", "export", "import")) {
      help.append(usage(command));
    }
    help.append(usage("token", "add")).append(usage("ca", "node"));
    assertThat(named(FLAG, help.toString())).containsAll(flags);
  }

  private static String usage(String... command) {
    CommandLine line = Cordwood.whole();
    for (String name : command) {
      line = Objects.requireNonNull(line.getSubcommands().get(name), name);
    }
    return line.getUsageMessage();
  }
}
