package io.cordwood.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cordwood.cli.search.GrepCommand;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What is read without picocli is what picocli reads. */
final class QuickStartTest {
  @TempDir private Path folder;

  private static final long SEED = 7;

  /** The first is empty. */
  private static final List<String> WORDS =
      List.of(
          """
           a b - -- 5 x=1 -i -S -F -E -v -w -x -o -c -l -H -h -e -f -n -m -A -B -C -n5 -m3 -A1
          -ivn5 -vc -io -ie -efoo -e=foo -n=5 -5 -iq -e-x --regexp=-x -in=5 -i5 --json --ulid
          --stats --raw --no-pager --dry-run --follow --utc --color=always --color never
          --colour=x --tail=5 --tail --max-count=2 --max-count= --context=2 --node= --node=a,b
          --topic=t --topic --from=1h --to=now --from -3d --to=-1h --since --tz=UTC --tz --tz=x
          --template={line} --template={x} --template= --count=true -n99999999999 --file=x
          --regexp= --null -z -Z -0 -q -s -L -lL -qs --lines=3 --lines --limit=5 --limit --text
          --from-ulid=a --settled --print-position --bucket=1m --bucket=x --buckets=7 --buckets
          --until=soon
          """
              .stripTrailing()
              .split("\\s", -1));

  /** Each is made once, since that is slow; before each line all that it sets is as at first. */
  private static final Map<String, CommandLine> PICOCLI = new HashMap<>();

  private static QuickCommand command(String name) {
    return (QuickCommand) Objects.requireNonNull(Cordwood.named(name));
  }

  private static boolean isTaken(QuickCommand command, String... args) {
    return QuickStart.isTaken(command, args, Map.of());
  }

  private static void assertSame(String... args) {
    assertSameOf("grep", args);
  }

  private static void assertSameOf(String name, String... args) {
    QuickCommand quick = command(name);
    assertThat(isTaken(quick, args)).as(String.join(" ", args)).isTrue();
    CommandLine line =
        PICOCLI.computeIfAbsent(name, _ -> Programs.line("cordwood " + name, command(name)));
    QuickCommand slow = line.getCommand();
    assertThatCode(() -> Exclusions.check(line.parseArgs(slow.rewritten(args))))
        .as(String.join(" ", args))
        .doesNotThrowAnyException();
    assertThat(quick)
        .as(String.join(" ", args))
        .usingRecursiveComparison()
        .ignoringFields("spec")
        .isEqualTo(slow);
  }

  /**
   * Lines that some flags are of: grep's want a PATTERN, and those of files a FILE; forward's want
   * nodes.
   */
  private static List<String[]> lines(String command, String... flags) {
    List<List<String>> rests =
        command.equals("grep")
            ? List.of(List.of("pattern"), List.of("pattern", "file"))
            : command.equals("forward") ? List.of(List.of("node:1", "node")) : List.of(List.of());
    return rests.stream()
        .map(rest -> Stream.concat(Stream.of(flags), rest.stream()).toArray(String[]::new))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grep",
        "tail",
        "read",
        "histogram",
        "stats",
        "topics",
        "ingest",
        "store",
        "ingeststore",
        "query",
        "forward"
      })
  void everyFlagThatIsTakenIsTakenAsPicocliDoes(String command) {
    CommandLine line = Programs.line("cordwood " + command, command(command));
    String[] values = {
      "1", "1m", "a", "now", "UTC", "{line}", "always", "lan", "1.3", "/dev/null", "end"
    };
    List<String> left = new ArrayList<>();
    List<OptionSpec> usual =
        line.getCommandSpec().options().stream().filter(option -> !option.hidden()).toList();
    for (OptionSpec option : usual) {
      boolean alone = option.arity().max() == 0;
      for (String name : option.names()) {
        Stream<String[]> flags =
            alone
                ? Stream.<String[]>of(new String[] {name})
                : Stream.of(values).map(value -> new String[] {name, value});
        List<String[]> taken =
            flags
                .flatMap(each -> lines(command, each).stream())
                .filter(each -> isTaken(command(command), each))
                .toList();
        taken.forEach(each -> assertSameOf(command, each));
        if (taken.isEmpty()) {
          left.add(name);
        }
      }
    }
    assertThat(left).isSubsetOf("--help", "-h", "--version", "-V");
  }

  @ParameterizedTest
  @ValueSource(strings = {"grep", "tail", "read", "histogram", "stats", "topics"})
  void linesAtRandomAreTakenAsPicocliDoesOrNotAtAll(String command) {
    var random = new Random(SEED);
    int taken = 0;
    for (int round = 0; taken < 500 && round < 8_000; round++) {
      String[] line = new String[1 + random.nextInt(4)];
      for (int i = 0; i < line.length; i++) {
        line[i] = WORDS.get(random.nextInt(WORDS.size()));
      }
      if (isTaken(command(command), line)) {
        assertSameOf(command, line);
        taken++;
      }
    }
    assertThat(taken).isGreaterThan(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b c",
        "-- -c -x",
        "a -",
        "-e a -e b file",
        "--node=a,b x",
        "--node a --node b:1 x",
        "--topic=t x",
        "-i x -v",
        "-F -S x",
        "-in5 x",
        "-ivA 2 x",
        "-e x -f -",
        "--since 1h --to=now x",
        "--color=always -c x",
        "--from -3d --to=-1h x",
        "-i -i -c -c x",
        "-n 1 -n 2 x",
        "-n x x",
        "-Hn x x",
        "-nim 2 x x",
        "-r x",
        "-ri --include=*.log x src",
        "-y x",
        "--color x",
        "--tz UTC --tz +01:00 x",
      })
  void commonLinesAreTaken(String line) {
    assertSame(line.split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-c",
        "--help",
        "-c --json x",
        "--count=true x",
        "-e",
        "-e -x",
        "-n 5 -m 5 x",
        "-c --ulid x",
        "--color=x x",
        "--tz x x",
        "-i -S x",
        "-i --ignore-case x",
        "-m 1 -m 2 -n 3 x",
        "--nod a x",
        "-e=x",
        "--no-such x",
        "-F -E x",
      })
  void whatIsNotUsualIsLeftToPicocli(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
    assertThat(isTaken(new GrepCommand(), args)).isFalse();
  }

  @Test
  void aNodeOfTheEnvironmentIsTakenUnlessAFlagNamesOne() {
    Map<String, String> environment = Map.of("CORDWOOD_NODE", "a,b", "PATH", "/");
    var command = new GrepCommand();
    assertThat(QuickStart.isTaken(command, new String[] {"x"}, environment)).isTrue();
    var named = new GrepCommand();
    assertThat(isTaken(named, "--node=a,b", "x")).isTrue();
    assertThat(command).usingRecursiveComparison().ignoringFields("spec").isEqualTo(named);
    var both = new GrepCommand();
    assertThat(QuickStart.isTaken(both, new String[] {"--node=a,b", "x"}, environment)).isTrue();
    assertThat(both).usingRecursiveComparison().ignoringFields("spec").isEqualTo(named);
  }

  @Test
  void aNodeOfTheEnvironmentIsNotAskedForWhatIsInFiles() throws Exception {
    Map<String, String> environment = Map.of("CORDWOOD_NODE", "no.such.node");
    var quick = new GrepCommand();
    assertThat(QuickStart.isTaken(quick, new String[] {"</project>", "pom.xml"}, environment))
        .isTrue();
    assertThat(quick.call()).isZero();
    for (String variable : List.of("CORDWOOD_NODE", "CORDWOOD_TOPIC", "CORDWOOD_JSON")) {
      CommandLine slow = Programs.line("cordwood grep", new GrepCommand());
      Map<String, String> set = Map.of(variable, variable.endsWith("JSON") ? "1" : "a");
      assertThat(Programs.run(slow, set, "-m", "1", "</project>", "pom.xml")).isZero();
    }
  }

  private Path settings(String text) throws IOException {
    return Files.writeString(folder.resolve("cordwood.properties"), text);
  }

  @Test
  void settingsOfAFileAreTakenAsPicocliDoes() throws IOException {
    Path file =
        settings(
            """
            # of all nodes
            retention = 30d
            store.retention = 10d   # counts more
            ingest.topic = x
            peer = a,b:1
            cors-origin = https://a,https://b
            insecure = true
            max-query-bytes = 1GiB
            api-port = 1
            """);
    String[] args = {"--config=" + file, "--api-port=2"};
    QuickCommand quick = command("store");
    assertThat(isTaken(quick, args)).isTrue();
    CommandLine line = Programs.line("cordwood store", command("store"));
    Programs.parse(line, Map.of(), args);
    assertThat(quick).usingRecursiveComparison().isEqualTo(line.getCommand());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retenton = 1d",
        "retention = soon",
        "retention =",
        "retention",
        "insecure = false",
        "config = other",
        "topic = of-an-ingest-node",
        "grep.retention = 1d",
        "retention = 1d\nretention = 2d",
      })
  void whatIsNotUsualInAFileIsLeftToPicocli(String line) throws IOException {
    assertThat(isTaken(command("store"), "--config=" + settings(line))).isFalse();
  }

  @Test
  void otherFlagsOfTheEnvironmentAreLeftToPicocli() {
    Map<String, String> environment = Map.of("CORDWOOD_TOPIC", "a");
    assertThat(QuickStart.isTaken(new GrepCommand(), new String[] {"x"}, environment)).isFalse();
  }
}
