package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the recipes of {@code docs/forward.md} as they stand there, beside each other, over files
 * laid out as the systems lay them out. {@code docker} and {@code journalctl} are scripts that say
 * a line and stay, and a {@code cordwood} gives each its own checkpoint.
 */
final class ForwardRecipesIT {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
  private static final String ID = "4f9a".repeat(16);
  private static final String SAYS = "#!/bin/sh\necho 'said by %s'\nexec sleep 600\n";
  private static final String CORDWOOD =
      """
      #!/bin/sh
      case "$*" in *--file*) set -- "$@" --checkpoint=cp.$PPID ;; esac
      exec "$CORDWOOD" "$@"
      """;

  private static final String TRACE =
      "2026-11-25 ERROR\njava.lang.Error: no\n\tat a.B.c(B.java:1)\n";
  private static final String JSON =
      "{\"log\":\"hello\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-25T10:00:00Z\"}\n";
  private static final String POD = "2026-11-25T10:00:00Z stdout F from a pod\n";

  /** A topic, and what is found there. */
  private static final Map<String, String> EXPECTED =
      Map.of(
          "shop-web",
          TRACE,
          "front",
          "hello\n",
          "api",
          "from a pod\n",
          "shop",
          "said by docker\n",
          "journal",
          "said by journalctl\n");

  @TempDir private Path folder;

  @Test
  void eachRecipeBringsItsLines() throws IOException {
    write("var/log/shop/shop-web.log", TRACE);
    write("var/lib/docker/containers/" + ID + "/" + ID + "-json.log", JSON);
    write("var/lib/docker/containers/" + ID + "/config.v2.json", "{\"Name\":\"/front\"}");
    write("var/log/pods/default_web-1_77ab/api/0.log", POD);
    script("docker", SAYS.formatted("docker"));
    script("journalctl", SAYS.formatted("journalctl"));
    script("cordwood", CORDWOOD);
    List<Program> running = new ArrayList<>();
    try (NodeProcess node = NodeProcess.start(folder)) {
      for (String block : blocks()) {
        String there =
            block
                .replace("/var/", folder + "/var/")
                .replace("log1 log2", "localhost:" + node.durablePort());
        running.add(Program.shell(folder, "PATH=" + folder.resolve("bin") + ":$PATH\n" + there));
      }
      assertThat(running).hasSize(EXPECTED.size());
      EXPECTED.forEach((topic, text) ->
          await().untilAsserted(() -> assertThat(node.query("topic=" + topic)).isEqualTo(text)));
      assertThat(node.query("count=true&topic=shop-web&q=")).isEqualTo("1\n");
    } finally {
      running.forEach(Program::close);
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void script(String name, String text) throws IOException {
    write("bin/" + name, text);
    assertThat(folder.resolve("bin/" + name).toFile().setExecutable(true)).isTrue();
  }

  private static List<String> blocks() throws IOException {
    String manual = Files.readString(Path.of("..", "docs", "forward.md"));
    String recipes = manual.substring(manual.indexOf("## Recipes"));
    return BLOCK.matcher(recipes).results().map(block -> block.group(1)).toList();
  }
}
