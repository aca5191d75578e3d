package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Programs;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Commands and tables of {@code docs/kubernetes.md} name what the manifests and the chart have. */
final class KubernetesDocTest {
  private static final Pattern WORD =
      Pattern.compile("(?:'[^']*'|\"(?:\\\\.|[^\"])*\"|[^\\s'\"])+");
  private static final Set<String> SECRETS =
      Set.of("cordwood-authority", "cordwood-nodes", "cordwood-forwarder", "cordwood-admin");

  /** The commands, as lists of words without quotes. */
  private static List<List<String>> commands() throws IOException {
    List<List<String>> found = new ArrayList<>();
    for (DocBlock block : DocBlock.all()) {
      if (block.document().equals("kubernetes.md") && block.isShell()) {
        for (String line : block.text().replace("\\\n", " ").split("\n", -1)) {
          for (String command : line.split(" [|&>] ?", -1)) {
            if (!command.isBlank()) {
              found.add(words(command));
            }
          }
        }
      }
    }
    assertThat(found).hasSizeGreaterThan(12);
    return found;
  }

  private static List<String> words(String command) {
    return WORD.matcher(command)
        .results()
        .map(MatchResult::group)
        .map(word -> word.replaceAll("['\"]", ""))
        .toList();
  }

  @Test
  void commandsOfCordwoodHaveFlagsThatAreThere() throws IOException {
    int count = 0;
    for (List<String> words : commands()) {
      if (words.getFirst().equals("cordwood")) {
        count++;
        String name = words.get(1);
        var line = Programs.line("cordwood " + name, Objects.requireNonNull(Cordwood.named(name)));
        Programs.parse(line, Map.of(), words.subList(2, words.size()).toArray(String[]::new));
      }
    }
    assertThat(count).isEqualTo(3);
  }

  @Test
  void kubectlIsGivenNamesThatTheManifestsHave() throws IOException {
    Set<String> names = new TreeSet<>();
    Set<String> labels = new TreeSet<>();
    for (Map<?, ?> document : Manifests.ofKustomization()) {
      names.add(
          Manifests.name(document).replaceFirst(".* (.*) (.*)", "$1/$2").toLowerCase(Locale.ROOT));
      for (Map<?, ?> map : Manifests.maps(document)) {
        map.forEach((key, value) -> labels.add(key + "=" + value));
      }
    }
    Map<?, ?> kustomization =
        Manifests.in(Manifests.FOLDER.resolve("kustomization.yaml")).getFirst();
    for (List<String> words : commands()) {
      if (words.getFirst().equals("kubectl")) {
        for (int at = 1; at < words.size(); at++) {
          String word = words.get(at);
          String before = words.get(at - 1);
          if (before.equals("-n")) {
            assertThat(word).isEqualTo(kustomization.get("namespace"));
          } else if (before.equals("-k")) {
            assertThat(Path.of("..", word)).isEqualTo(Manifests.FOLDER);
          } else if (before.equals("secret")) {
            assertThat(SECRETS).contains(word);
          } else if (word.startsWith("cordwood.io/")) {
            assertThat(labels).contains(word);
          } else if (word.matches("[a-z]+/[a-z]+")) {
            assertThat(names).contains(word);
          }
        }
      }
    }
  }

  @Test
  void helmIsGivenValuesThatTheChartHas() throws IOException {
    Map<?, ?> values = Manifests.in(Path.of("../deploy/helm/cordwood/values.yaml")).getFirst();
    int count = 0;
    for (List<String> words : commands()) {
      for (int at = words.indexOf("helm") + 1; at > 0 && at < words.size(); at++) {
        if (words.get(at - 1).equals("--set")) {
          count++;
          @Nullable Object value = values;
          for (String name : words.get(at).replaceFirst("=.*", "").split("\\.", -1)) {
            Map<?, ?> inner = value instanceof Map<?, ?> map ? map : Map.of();
            assertThat(inner.containsKey(name)).as(words.get(at)).isTrue();
            value = inner.get(name);
          }
        }
      }
    }
    assertThat(count).isEqualTo(4);
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/kubernetes.md"));
  }

  /** The cells of the rows of a table that begins with a heading. */
  private static List<String[]> rows(String heading) throws IOException {
    String page = page();
    String table = page.substring(page.indexOf(heading)).replaceFirst("(?s)\\n\\n.*", "");
    return table
        .lines()
        .skip(2)
        .filter(row -> row.startsWith("| "))
        .map(row -> row.replaceFirst("^\\| ", "").split(" \\| ?", -1))
        .toList();
  }

  private static Map<?, ?> document(String kindAndName) throws IOException {
    return Manifests.ofKustomization().stream()
        .filter(document -> shortName(document).equals(kindAndName))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected " + kindAndName + ", found none"));
  }

  private static String shortName(Map<?, ?> document) {
    return Manifests.name(document).replaceFirst("^\\S+ ", "");
  }

  @Test
  void whatTheTableNamesIsMade() throws IOException {
    Set<String> made = new TreeSet<>();
    for (Map<?, ?> document : Manifests.ofKustomization()) {
      made.add(shortName(document));
    }
    int count = 0;
    for (String[] row : rows("| made |")) {
      List<String> names = found("`([^`]+)`", row[0]);
      for (String kind : found("(?<!`)\\b([A-Z]\\w+)", row[0])) {
        String one = kind.replaceFirst("ies$", "y").replaceFirst("(?<!s)s$", "");
        for (String name : names) {
          count++;
          assertThat(made).contains(one + " " + name);
        }
        assertThat(made).as(kind).anyMatch(each -> each.startsWith(one + " "));
      }
    }
    assertThat(count).isEqualTo(11);
  }

  private static List<String> found(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().map(each -> each.group(1)).toList();
  }

  @Test
  void podsAreSpreadAndTheJobIsDeletedAsThePageSays() throws IOException {
    for (String tier : List.of("ingest", "store")) {
      List<Map<?, ?>> maps = Manifests.maps(document("StatefulSet " + tier));
      assertThat(maps).anyMatch(map -> Integer.valueOf(3).equals(map.get("replicas")));
      assertThat(maps)
          .filteredOn(map -> map.containsKey("requiredDuringSchedulingIgnoredDuringExecution"))
          .singleElement()
          .asString()
          .contains("topologyKey=kubernetes.io/hostname", "component=" + tier);
      assertThat(document("PodDisruptionBudget " + tier)).asString().contains("maxUnavailable=1");
    }
    assertThat(document("Job secrets")).asString().contains("ttlSecondsAfterFinished=300");
    assertThat(document("DaemonSet forwarder"))
        .asString()
        .contains("tolerations=[{operator=Exists}]");
    assertThat(page())
        .contains("three pods each, each on a machine of its own", "lets one of each go")
        .contains("deleted five minutes after its end", "tolerates every taint");
  }

  @Test
  void policiesAllowWhatTheTableSays() throws IOException {
    List<String> rows = new ArrayList<>();
    rows("| from |").forEach(row -> rows.add(row[0] + ": " + row[1]));
    List<String> senders = ports("senders");
    assertThat(rows)
        .containsExactly(
            "ingest nodes and stores: each other, ports " + String.join(" and ", ports("nodes")),
            "the forwarders: ingest nodes, ports "
                + senders.getFirst()
                + " to "
                + senders.getLast(),
            "namespaces with the label `cordwood.io/sends=true`: the same",
            "namespaces with the label `cordwood.io/reads=true`: all nodes, port "
                + String.join(" and ", ports("readers")));
    assertThat(document("NetworkPolicy senders"))
        .asString()
        .contains("component=forwarder", "{cordwood.io/sends=true}");
    assertThat(document("NetworkPolicy readers")).asString().contains("{cordwood.io/reads=true}");
    assertThat(document("NetworkPolicy none")).asString().doesNotContain("ingress");
  }

  private static List<String> ports(String policy) throws IOException {
    List<String> ports = new ArrayList<>();
    for (Map<?, ?> map : Manifests.maps(document("NetworkPolicy " + policy))) {
      if (map.containsKey("port")) {
        ports.add(String.valueOf(map.get("port")));
      }
    }
    return ports;
  }
}
