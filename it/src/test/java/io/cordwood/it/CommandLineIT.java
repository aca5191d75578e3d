package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * What programs say of their command lines. Most of these are run by one JVM, those of {@link
 * #AS_PROCESSES} by the launcher, too.
 */
final class CommandLineIT {
  /** Each with a blank after it, and the program itself. */
  private static final List<String> COMMANDS = withNested("", Cordwood.whole()).toList();

  private static final String WRONG =
      """
      grpe x                       | cordwood: unknown command 'grpe'; did you mean grep?
      grep --tpic a x              | unknown option '--tpic'; did you mean --topic?
      grep                         | cordwood grep: expected a PATTERN, found none
      grep -m x y                  | -m, --max-count: expected a whole number, found "x"
      grep -m -1 y                 | -m, --max-count: expected a number of 0 or more
      grep -C 9999999999 y         | -C, --context: expected at most 2147483647, found
      grep -C 2000 y               | expected 0 to 1000 records, found 2000
      grep --count=maybe y         | -c, --count: expected true or false, found "maybe"
      grep --color=maybe y         | expected one of auto, always, never, found "maybe"
      grep -5 x pom.xml            | unknown option '-5'; did you mean -C 5?
      tail -5 --node localhost:1   | unknown option '-5'; did you mean -n 5?
      read -5                      | unknown argument '-5'
      completion tcsh              | SHELL: expected one of bash, zsh, fish, found "tcsh"
      help grpe                    | unknown command 'grpe'; did you mean grep?
      grpe --help                  | unknown command 'grpe'; did you mean grep?
      grep -m 1 -n 1 y             | expected -m or -n, found both
      grep -i -S -i y              | expected -i or -S, found both
      grep -c --json --ulid y      | expected -c or --ulid or --json, found all
      grep --since soon x          | expected a time such as 2026-01-31T12:00:00Z
      grep --from 5m --to 10m x    | expected --from before --to
      grep --node a:b x            | --node: expected host:port
      grep --node localhost:1 x    | localhost:1: cannot connect
      grep -o -v x                 | expected -o or -v, found both
      grep --template {} x         | {line}, {field} or a label such as {@pod}, found ""
      grep --extract [0-9] x       | --extract: expected a group with a name, such as
      grep --template {line x      | found "{line"
      grep --cold s3://a/b x       | did you mean cordwood cold grep PLACE PATTERN?
      grep --gb-price 1 x          | expected --dry-run with --gb-price
      grep --follow -c x           | expected --follow or -c, found both: what is
      grep --follow -q x           | expected --follow or -q, found both
      grep --tz Mars x             | expected a zone such as Europe/Berlin
      grep -l -L x pom.xml         | expected -l or -L, found both
      grep --follow --to now x     | expected --follow or --to, found both
      grep --follow x pom.xml      | --follow, which asks a node, found pom.xml
      grep -l x                    | expected a FILE with -l, found none
      grep --ulid x pom.xml        | expected no FILE with --ulid, which asks a node
      grep a b --topic x           | found b; --and TEXT --and TEXT finds what has both
      grep -E ( pom.xml            | expected ")"
      grep x /no/such/file         | /no/such/file: no such file or folder
      grep -f /no/such/file x      | /no/such/file: no such file or folder
      grep --node no.such.host. x  | no.such.host
      grep --node http://no.such. x | no.such.:7650: no such host
      grep --node ::1 x            | an IPv6 address needs brackets
      grep --node [::1]:1 x        | [::1]:1:
      grep --node localhost:1,,b x | --node: expected host:port
      grep -f src x                | src: expected a file of patterns, found a folder
      grep x src                   | src: expected a file, found a folder
      grep x /proc/self/mem        | /proc/self/mem: Input/output error
      segment cat src              | src: expected a file, found a folder
      read --from-ulid x           | --from-ulid: expected a ULID of 26 characters
      read --limit x               | --limit: expected a whole number, found "x"
      read --from_ulid x           | did you mean --from-ulid?
      read --text --json           | expected --text or --json, found both
      read --late-window x         | expected a duration such as 250ms
      read --node localhost:1      | localhost:1: cannot connect
      watch x                      | expected --above, --below or --absent, found none
      watch x --absent --every 0s  | --every: expected 1s to 8784h, found 0s
      watch --rules x --above 1    | expected --rules or --above, found both
      watch --rules /no/such/file  | /no/such/file: no such file or folder
      forward localhost:1:foo      | expected host:port or an IPv6 address, found
      forward                      | Missing required parameter: 'HOST:PORT'
      forward --drain 5x localhost | expected a duration such as 250ms
      forward --topic -x localhost | expected a topic
      testsvc --size 1 --count 1   | expected 64 to 1048576 bytes
      testsvc --rte 5              | did you mean --rate?
      segment                      | expected cat, info or verify, found none
      segment cat /no/such/file    | /no/such/file: no such file or folder
      ingest --api-port 70000      | --api-port: expected a port from 0 to 65535, found 70000
      ingeststore --fast-prot 1    | did you mean --fast-port?
      ingeststore --flush-size 1   | --flush-size: expected 1MiB to 1GiB, found 1
      ingeststore --max-topics 10001 | --max-topics: expected at most 10000, found 10001
      ingeststore --retention 0s   | expected a retention of more than 0
      store --retention a*=b=7d    | expected a duration such as 250ms
      store --fast-port 1          | unknown option '--fast-port'
      store --replication-factor 0 | expected a replication factor from 1 to 16, found 0
      store --peer a:b             | --peer: expected host:port
      store --advertise a/b        | --advertise: the host holds a character
      store --cluster-name a/b     | expected a cluster name of 1 to 64 letters
      store --cluster-key-file /no | --cluster-key-file: /no: no such file; one can be made with
      store --cluster-key-file ../LICENSE | line 2: expected
      """;

  /** What is wrong by programs of each jar, and how the launcher's process ends for it. */
  private static final Set<String> AS_PROCESSES =
      Set.of(
          "grpe x",
          "grep -m x y",
          "grep x /no/such/file",
          "tail -5 --node localhost:1",
          "read --limit x",
          "forward localhost:1:foo",
          "ingest --api-port 70000",
          "store --fast-port 1",
          "ingeststore --fast-prot 1");

  /** By command line. */
  private static Map<String, Program.Result> results;

  @BeforeAll
  static void runAll() throws IOException {
    List<String> all = new ArrayList<>(COMMANDS.stream().map(CommandLineIT::help).toList());
    whatIsWrong().forEach(wrong -> all.add(wrong.arguments));
    List<String[]> lines = all.stream().map(line -> onOwnPorts(line.split(" "))).toList();
    List<Program.Result> each = ManyCommands.run(lines);
    results = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      results.put(all.get(i), each.get(i));
    }
  }

  private static Stream<String> withNested(String path, CommandLine line) {
    return Stream.concat(
        Stream.of(path),
        line.getSubcommands().entrySet().stream()
            .flatMap(nested -> withNested(path + nested.getKey() + " ", nested.getValue())));
  }

  private static String help(String command) {
    return command + "--help";
  }

  static List<String> commands() {
    return COMMANDS;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelp(String command) {
    assertIsHelp(command, Objects.requireNonNull(results.get(help(command))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "store ", "forward ", "grep "})
  void launcherGivesHelp(String command) throws IOException {
    assertIsHelp(command, Program.run(help(command).split(" ")));
  }

  private static void assertIsHelp(String command, Program.Result help) {
    assertThat(help.exitCode()).isZero();
    assertThat(help.errors()).isEmpty();
    assertThat(help.text()).startsWith("Usage: cordwood " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-m", "-n"})
  void nobodyIsAskedForNoRecord(String flag) throws IOException {
    Program.Result result = Program.run("grep", flag, "0", "--node", "localhost:1", "x");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.text() + result.errors()).isEmpty();
  }

  @Test
  void versionIsTold() throws IOException {
    assertThat(Program.run("--version").text())
        .matches(
            "cordwood \\d+\\.\\d+\\.\\d+\\S* \\(commit (\\p{XDigit}{7,40}(-modified)?|unknown)\\)"
                + " on Java .*\n");
  }

  /** A command line, and what is said. */
  record Wrong(String arguments, String expected) {}

  static Stream<Wrong> whatIsWrong() {
    return WRONG
        .lines()
        .map(line -> line.split(" +\\| ", 2))
        .map(columns -> new Wrong(columns[0], columns[1].strip()));
  }

  static Stream<Wrong> whatIsWrongToTheLauncher() {
    return whatIsWrong().filter(wrong -> AS_PROCESSES.contains(wrong.arguments));
  }

  @ParameterizedTest
  @MethodSource("whatIsWrong")
  void whatIsWrongIsSaidInOneLine(Wrong wrong) {
    assertIsSaid(wrong, Objects.requireNonNull(results.get(wrong.arguments)));
  }

  @ParameterizedTest
  @MethodSource("whatIsWrongToTheLauncher")
  void launcherSaysItInOneLineToo(Wrong wrong) throws IOException {
    assertIsSaid(wrong, Program.run(onOwnPorts(wrong.arguments.split(" "))));
  }

  @Test
  void eachThatTheLauncherIsAskedIsThere() {
    assertThat(whatIsWrongToTheLauncher()).hasSameSizeAs(AS_PROCESSES);
  }

  private static void assertIsSaid(Wrong wrong, Program.Result result) {
    assertThat(result.errors().lines())
        .singleElement()
        .satisfies(line -> assertThat(line).startsWith("cordwood").contains(wrong.expected));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.output()).isEmpty();
  }

  /** Should a node start by mistake, it should not meet one that runs on this machine. */
  private static String[] onOwnPorts(String[] arguments) {
    boolean node = arguments[0].equals("store") || arguments[0].startsWith("ingest");
    String[] flags = Arrays.copyOfRange(arguments, 1, arguments.length);
    return node ? NodeProcess.arguments(arguments[0], Path.of("target/none"), flags) : arguments;
  }

  @Test
  void testServiceWritesAsManyLinesOfTheSizeAsItIsTold() throws IOException {
    Program.Result lines =
        Program.run("testsvc", "--rate", "0", "--count", "2500", "--size", "200");
    assertThat(lines.exitCode()).isZero();
    assertThat(lines.output()).hasSize(2500 * 200);
    assertThat(lines.text().lines()).hasSize(2500);
  }

  @Test
  void testServiceEndsInPeaceWhenNobodyReads() throws IOException {
    try (Program service = Program.start("testsvc", "--rate", "0")) {
      service.closeOut();
      Program.Result result = service.end();
      assertThat(result.exitCode()).isZero();
      assertThat(result.errors()).isEmpty();
    }
  }

  @Test
  void launcherRunsFromAnywhereAndThroughLinks() throws IOException {
    String script =
        """
        mkdir -p "a folder/b"; ln -sf "$CORDWOOD" "a folder/one"; ln -sf ../one "a folder/b/two"
        cd /; "$OLDPWD/a folder/b/two" testsvc --count 1
        """;
    try (Program shell = Program.shell(java.nio.file.Path.of("target"), script)) {
      assertThat(shell.end().errors()).isEmpty();
      assertThat(shell.end().text().lines()).hasSize(1);
    }
  }
}
