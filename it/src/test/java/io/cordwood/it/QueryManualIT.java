package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the examples of {@code docs/search.md} and {@code docs/http-api.md} as they stand there, one
 * after another in one shell, against a node, and compares what they print with what stands below
 * them. A line that begins with {@code $} is a command. A {@code ./cordwood} stands in the shell's
 * folder which passes everything on to the real one, with the node's ports in place of the usual
 * ones.
 *
 * <p>Times and ULIDs are compared by their form, and {@code ...} stands for any lines. The node
 * keeps what it receives, so that nothing is counted twice on its way to its store.
 */
final class QueryManualIT {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
  private static final String COMMAND = "$ ";
  private static final String END = "== end of what was printed ==";

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z");

  private static final Pattern ULID = Pattern.compile("\\b[0-7][0-9A-HJKMNP-TV-Z]{25}\\b");

  private static final String WRAPPER =
      """
      #!/bin/sh
      case $1 in
        forward | segment | testsvc) ;;
        grep | stats) case " $* " in *.log" ") ;; *) set -- "$@" --node=localhost:API ;; esac ;;
        *) set -- "$@" --node=localhost:API ;;
      esac
      exec "$CORDWOOD" "$@"
      """;

  @TempDir private Path folder;

  private record Example(String command, String printed) {}

  @Test
  void examplesPrintWhatStandsBelowThem() throws IOException {
    List<Example> examples = examples();
    assertThat(examples).hasSizeGreaterThan(10);
    try (NodeProcess node = NodeProcess.start(folder, "--flush-age", "1h")) {
      List<String> printed = run(examples, node);
      for (int i = 0; i < examples.size(); i++) {
        Example example = examples.get(i);
        assertThat(plain(printed.get(i)))
            .as(example.command())
            .matches(Pattern.compile(expected(example), Pattern.DOTALL));
      }
    }
  }

  private List<String> run(List<Example> examples, NodeProcess node) throws IOException {
    String wrapper = WRAPPER.replace("API", Integer.toString(node.apiPort()));
    Path launcher = Files.writeString(folder.resolve("cordwood"), wrapper);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    var script = new StringBuilder("set +e\nexec 2>&1\n");
    for (Example example : examples) {
      script.append(example.command()).append("\necho '").append(END).append("'\n");
    }
    String there =
        script
            .toString()
            .replace("localhost:7650", "localhost:" + node.apiPort())
            .replace("localhost:7651", "localhost:" + node.fastPort());
    try (Program shell = Program.shell(folder, there)) {
      String all = shell.end(examples.size()).text();
      List<String> printed = new ArrayList<>(List.of(all.split(END + "\n", -1)));
      assertThat(printed).as(all).hasSize(examples.size() + 1);
      return printed;
    }
  }

  /** What differs each time, in one form. */
  private static String plain(String text) {
    return ULID.matcher(TIME.matcher(text).replaceAll("TIME")).replaceAll("ULID");
  }

  private static String expected(Example example) {
    String[] parts = plain(example.printed()).split("(?m)^\\.\\.\\.\n", -1);
    List<String> quoted = new ArrayList<>();
    for (String part : parts) {
      quoted.add(Pattern.quote(part));
    }
    return String.join("(.*\n)?", quoted);
  }

  private static List<Example> examples() throws IOException {
    Path docs = Path.of("..", "docs");
    String manual =
        Files.readString(docs.resolve("search.md")) + Files.readString(docs.resolve("http-api.md"));
    List<Example> examples = new ArrayList<>();
    for (var block : BLOCK.matcher(manual).results().toList()) {
      if (!block.group(1).startsWith(COMMAND)) {
        continue; // DocsIT runs it.
      }
      for (String example : block.group(1).split("(?m)^\\$ ", -1)) {
        int end = example.indexOf('\n') + 1;
        if (end > 0) {
          examples.add(new Example(example.substring(0, end - 1), example.substring(end)));
        }
      }
    }
    return examples;
  }
}
