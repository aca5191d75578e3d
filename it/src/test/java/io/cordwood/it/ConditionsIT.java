package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --where} and other flags print together, for a file and for a node. */
final class ConditionsIT {
  private static final String LINES =
      """
      a n=1 level=info GET
      b n=2 level=error GET
      c n=3 level=info GET
      d n=4 level=error PUT
      e n=5 level=error GET
      f n=6 level=info PUT
      """;

  /** What is printed of the lines by flags, as their first letters. */
  private static final String OF_BOTH =
      """
      -e n                   | b d e
      -e GET                 | b e
      -v -e GET              | d
      -c -v -e GET           | 1
      -v -e GET -e PUT       |
      -w -i -e get           | b e
      -o -E -e n=.           | n=2 n=4 n=5
      -o -m 2 -E -e n=.|GET  | n=2 GET n=4
      -m 1 -e GET            | b
      -m 2 -v -e a           | b d
      -A 1 -e GET            | b c -- e f
      -B 1 -e GET            | a b -- d e
      -C 1 -m 1 -e GET       | a b c
      -C 1 -v -e GET         | c d e
      -q -e GET              |
      """;

  private static final String OF_FILES =
      """
      -l -e GET other.log          | web.log
      -L -e GET other.log          | other.log
      -l -v -e GET other.log       | other.log web.log
      -l -v -e GET -e x other.log  | web.log
      -c -e GET other.log          | other.log:0 web.log:2
      -A 1 -m 1 --line-number -eG  | 2:b 3-c
      -h -v -m 1 -e GET other.log  | x d
      """;

  private static final String OF_NODES =
      """
                    | b d e
      -n 1 -e GET   | e
      -n 2          | d e
      """;

  @TempDir private static Path folder;
  private static NodeProcess node;

  @BeforeAll
  static void start() throws IOException {
    node = NodeProcess.start(folder.resolve("node"));
    node.send("CORDWOOD/1 topic=asked\n" + LINES);
    node.send("CORDWOOD/1 topic=followed\n" + LINES);
    node.awaitRecords(12);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static List<String> ofTopic(String topic) {
    return List.of("--node", "localhost:" + node.apiPort(), "--topic", topic);
  }

  private record Case(List<String> words, String expected) {}

  private static List<Case> cases(String table, List<String> last) {
    return table
        .lines()
        .map(line -> {
          int bar = line.lastIndexOf('|');
          List<String> words = new ArrayList<>(List.of("grep", "--where", "level=error"));
          Stream.of(line.substring(0, bar).strip().split(" "))
              .filter(word -> !word.isEmpty())
              .map(word -> word.endsWith(".log") ? folder.resolve(word).toString() : word)
              .forEach(words::add);
          words.addAll(last);
          return new Case(words, line.substring(bar + 1).strip());
        })
        .toList();
  }

  private static String shortened(String printed) {
    return printed
        .replace(folder + "/", "")
        .replaceAll(" n=\\d level=\\w+ \\w+|(?<=x) level=error", "")
        .replace('\n', ' ')
        .strip();
  }

  @Test
  void conditionsHoldOfWhatOtherFlagsPrint() throws IOException {
    List<String> file = List.of(Files.writeString(folder.resolve("web.log"), LINES).toString());
    Files.writeString(folder.resolve("other.log"), "x level=error\ny level=info GET\n");
    List<Case> cases = new ArrayList<>(cases(OF_BOTH, file));
    cases.addAll(cases(OF_FILES, file));
    cases.addAll(cases(OF_BOTH, ofTopic("asked")));
    cases.addAll(cases(OF_NODES, ofTopic("asked")));
    List<Program.Result> results =
        ManyCommands.run(cases.stream().map(each -> each.words.toArray(String[]::new)).toList());
    for (int i = 0; i < cases.size(); i++) {
      Case each = cases.get(i);
      Program.Result result = results.get(i);
      boolean found = !each.expected.isEmpty() || each.words.contains("-q");
      assertThat(shortened(result.text())).as("%s", each.words).isEqualTo(each.expected);
      assertThat(result.exitCode()).as("%s", each.words).isEqualTo(found ? 0 : 1);
      assertThat(result.errors()).as("%s", each.words).isEmpty();
    }
  }

  @Test
  void conditionsHoldOfWhatIsFollowed() throws IOException {
    try (Program grep = follow("grep", "--follow", "-o", "-E", "n=.*GET");
        Program tail = follow("tail", "-v", "GET")) {
      grep.awaitOut(Pattern.compile("n=5"));
      tail.awaitOut(Pattern.compile("d n=4"));
      node.send(
          """
          CORDWOOD/1 topic=followed
          n=7 level=info GET
          n=8 level=error GET
          n=9 level=error PUT
          """);
      grep.awaitOut(Pattern.compile("n=8"));
      tail.awaitOut(Pattern.compile("n=9"));
      assertThat(grep.out())
          .isEqualTo("n=2 level=error GET\nn=5 level=error GET\nn=8 level=error GET\n");
      assertThat(tail.out()).isEqualTo("d n=4 level=error PUT\nn=9 level=error PUT\n");
    }
  }

  private static Program follow(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--where", "level=error"));
    all.addAll(ofTopic("followed"));
    return Program.start(all.toArray(String[]::new));
  }
}
