package io.cordwood.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.search.GrepCommand;
import io.cordwood.dist.Cordwood;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

final class EnvironmentTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("in the environment as well: (--\\S+) by (\\S+)\\.");

  /** Each parse begins anew, and to make it takes longer than all that is asked of it here. */
  private static final CommandLine WHOLE = Cordwood.whole();

  private static Stream<CommandLine> commands() {
    return tree(WHOLE).filter(line -> line.getSubcommands().isEmpty());
  }

  private static Stream<CommandLine> tree(CommandLine line) {
    return Stream.concat(
        Stream.of(line), line.getSubcommands().values().stream().flatMap(EnvironmentTest::tree));
  }

  /** The long names of all options that are not of help, each with its command. */
  private static Stream<String[]> everyFlag() {
    return commands()
        .flatMap(command ->
            flags(command).stream()
                .flatMap(option -> Stream.of(option.names()))
                .filter(name -> name.startsWith("--"))
                .map(name -> new String[] {command.getCommandSpec().qualifiedName(), name}));
  }

  private static List<OptionSpec> flags(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .toList();
  }

  private static CommandLine command(String name) {
    return tree(WHOLE)
        .filter(line -> line.getCommandSpec().qualifiedName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String sample(OptionSpec option, int which) {
    Class<?> type = option.auxiliaryTypes()[0];
    if (option.longestName().equals(FileSettings.FLAG)) {
      return which == 0 ? "/dev/null" : "/dev/./null"; // it is read
    } else if (option.longestName().equals("--label-prefix")) {
      return "pod" + which;
    } else if (type.isEnum()) {
      Object[] values = type.getEnumConstants();
      return values[(which + 1) % values.length].toString();
    } else if (type == Duration.class || option.paramLabel().endsWith("DURATION")) {
      return which + 7 + "s";
    } else if (option.paramLabel().equals("RATE") || option.paramLabel().equals("AMOUNT")) {
      return which + 7 + "MB/s";
    } else if (option.longestName().equals("--disk")) {
      return which + 7 + "TB";
    } else if (type == ZoneId.class) {
      return "+0" + (which + 1);
    } else {
      return option.arity().max() == 0 ? "true" : "2" + which;
    }
  }

  /** Each as it is run: as a program of its own. */
  private static Stream<CommandLine> programs() {
    return Cordwood.whole().getSubcommands().keySet().stream()
        .map(name -> Programs.line(name, Objects.requireNonNull(Cordwood.named(name))));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void theHelpShowsTheVariableOfAFlagThatTheCommandHas(CommandLine command) {
    Matcher example = EXAMPLE.matcher(command.getUsageMessage());
    if (flags(command).isEmpty()) {
      assertThat(example.find()).isFalse();
    } else {
      assertThat(example.find()).isTrue();
      OptionSpec flag = command.getCommandSpec().findOption(example.group(1));
      assertThat(flags(command)).contains(flag);
      assertThat(Environment.names(flag)).contains(example.group(2));
    }
  }

  /** It is copied from there. */
  @ParameterizedTest
  @MethodSource("programs")
  void theHelpBreaksNoRegularExpression(CommandLine command) {
    assertThat(tree(command))
        .allSatisfy(each ->
            assertThat(each.getUsageMessage().lines())
                .noneMatch(line -> line.endsWith("(?") || line.strip().startsWith("<ms>")));
  }

  /** What a flag's value is, as text, in an environment and with arguments. */
  private static String value(
      String command, String flag, Map<String, String> variables, String... arguments) {
    CommandLine line = command(command);
    List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
    all.removeFirst();
    all.addAll(List.of(arguments));
    List<PositionalParamSpec> positional = line.getCommandSpec().positionalParameters();
    int least = positional.stream().mapToInt(each -> each.arity().min()).sum();
    all.addAll(Collections.nCopies(positional.isEmpty() ? 0 : Math.max(1, least), "argument"));
    WHOLE.setDefaultValueProvider(null);
    Programs.parse(WHOLE, variables, all.toArray(String[]::new));
    return Objects.toString(line.getCommandSpec().findOption(flag).getValue());
  }

  @ParameterizedTest
  @MethodSource
  void everyFlag(String command, String flag) {
    OptionSpec option = command(command).getCommandSpec().findOption(flag);
    String general =
        "CORDWOOD" + flag.replaceFirst("-", "").replace('-', '_').toUpperCase(Locale.ROOT);
    String own = (command + flag.substring(1)).replaceAll("[ -]", "_").toUpperCase(Locale.ROOT);
    assertThat(Environment.names(option)).contains(general, own);
    String one = sample(option, 0);
    String other = sample(option, 1);
    boolean alone = option.arity().max() == 0;
    String argument = alone ? flag : flag + "=" + one;
    String byFlag = value(command, flag, Map.of(), argument);
    assertThat(value(command, flag, Map.of(general, one))).isEqualTo(byFlag);
    assertThat(value(command, flag, Map.of(own, one, general, other))).isEqualTo(byFlag);
    assertThat(value(command, flag, Map.of(own, other), argument)).isEqualTo(byFlag);
    assertThat(value(command, flag, Map.of())).isNotEqualTo(byFlag);
  }

  @Test
  void noTwoFlagsOfACommandHaveAVariableInCommon() {
    commands()
        .forEach(line -> {
          Set<String> names = new HashSet<>();
          for (OptionSpec option : line.getCommandSpec().options()) {
            Environment.names(option).forEach(name -> assertThat(names.add(name)).isTrue());
          }
        });
  }

  @Test
  void aFlagThatExcludesAVariableCountsMore() {
    Map<String, String> variables = Map.of("CORDWOOD_COUNT", "1", "CORDWOOD_TAIL", "5");
    assertThat(value("cordwood grep", "--count", variables, "--json")).isEqualTo("false");
    assertThat(value("cordwood grep", "--tail", variables, "--json")).isEqualTo("5");
    assertThat(value("cordwood grep", "--tail", variables, "-im", "3")).isEqualTo("null");
    assertThat(value("cordwood grep", "--count", variables, "-im", "3")).isEqualTo("true");
  }

  @Test
  void whatTheCommandSaysExcludesVariablesToo() {
    Map<String, String> variables = Map.of("CORDWOOD_INVERT_MATCH", "1", "CORDWOOD_STATS", "1");
    assertThat(value("cordwood grep", "--invert-match", variables, "-o")).isEqualTo("false");
    assertThat(value("cordwood grep", "--stats", variables, "-o")).isEqualTo("true");
    assertThat(value("cordwood grep", "--stats", variables, "--follow")).isEqualTo("false");
  }

  @Test
  void aVariableOfTheCommandExcludesThoseOfAllCommands() {
    Map<String, String> variables = Map.of("CORDWOOD_GREP_COUNT", "1", "CORDWOOD_JSON", "1");
    assertThat(value("cordwood grep", "--count", variables)).isEqualTo("true");
    assertThat(value("cordwood grep", "--json", variables)).isEqualTo("false");
    assertThat(value("cordwood topics", "--json", variables)).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({"CORDWOOD_NODE, no.such.node", "CORDWOOD_TOPIC, a", "CORDWOOD_JSON, 1"})
  void whatTheEnvironmentSaysOfNodesIsNotForFiles(String variable, String value) {
    CommandLine line = Programs.line("cordwood grep", new GrepCommand());
    assertThat(Programs.run(line, Map.of(variable, value), "-m", "1", "</project>", "pom.xml"))
        .isZero();
  }

  @Test
  void variablesThatExcludeEachOtherAreRefused() {
    assertThat(errorOf(Map.of("CORDWOOD_TAIL", "1", "CORDWOOD_MAX_COUNT", "1"), "grep", "a"))
        .contains("expected CORDWOOD_MAX_COUNT or CORDWOOD_TAIL, found both");
    assertThat(errorOf(Map.of("CORDWOOD_GREP_UTC", "1", "CORDWOOD_GREP_TZ", "UTC"), "grep", "a"))
        .contains("expected CORDWOOD_GREP_TZ or CORDWOOD_GREP_UTC, found both");
    assertThat(errorOf(Map.of("CORDWOOD_FOLLOW", "1", "CORDWOOD_STATS", "true"), "grep", "a"))
        .contains("CORDWOOD_FOLLOW", "CORDWOOD_STATS", "found both");
  }

  @Test
  void variablesThatTheCommandLineOverrulesAreNotRefused() {
    Map<String, String> both = Map.of("CORDWOOD_JSON", "1", "CORDWOOD_COUNT", "1");
    assertThat(errorOf(both, "grep", "--ulid", "--node=a:b", "x")).contains("--node: expected");
    assertThat(errorOf(both, "grep", "--json", "--node=a:b", "x")).contains("--node: expected");
  }

  @Test
  void aVariableThatSwitchesAFlagOffExcludesNothing() {
    for (String off : List.of("0", "false", "False")) {
      Map<String, String> variables = Map.of("CORDWOOD_GREP_COUNT", off, "CORDWOOD_JSON", "1");
      assertThat(value("cordwood grep", "--json", variables)).isEqualTo("true");
      assertThat(errorOf(variables, "grep", "--node=a:b", "x")).contains("--node: expected");
    }
  }

  @Test
  void lettersOfAValueAreNoFlags() {
    Map<String, String> variables = Map.of("CORDWOOD_JSON", "1");
    assertThat(value("cordwood grep", "--json", variables, "-ietopic")).isEqualTo("true");
    assertThat(value("cordwood grep", "--json", variables, "-e", "a", "--", "-c"))
        .isEqualTo("true");
    assertThat(value("cordwood grep", "--json", variables, "-icetopic")).isEqualTo("false");
  }

  @Test
  void listsAreWrittenWithCommas() {
    assertThat(value("cordwood grep", "--node", Map.of("CORDWOOD_NODE", "a,b:1")))
        .isEqualTo("[a, b:1]");
    assertThat(value("cordwood ingest", "--peer", Map.of("CORDWOOD_PEER", "a,b:1")))
        .isEqualTo("[a, b:1]");
  }

  @Test
  void whatIsEmptyOrAnAddressOfKubernetesIsNotSet() {
    for (String value : List.of("", "tcp://10.0.0.1:7650")) {
      assertThat(value("cordwood store", "--api-port", Map.of("CORDWOOD_API_PORT", value)))
          .isEqualTo("7650");
    }
  }

  private static String errorOf(Map<String, String> variables, String... args) {
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    try (var err = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setErr(err);
      assertThat(Programs.run(Cordwood.whole(), variables, args)).isEqualTo(Programs.ERROR);
    } finally {
      System.setErr(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aBadValueIsBlamedOnItsVariable() {
    assertThat(errorOf(Map.of("CORDWOOD_MAX_COUNT", "x"), "grep", "a"))
        .contains(
            "--max-count: expected a whole number, found \"x\" (CORDWOOD_MAX_COUNT is set to 'x')");
    assertThat(errorOf(Map.of("CORDWOOD_GREP_COUNT", "perhaps"), "grep", "a"))
        .contains("CORDWOOD_GREP_COUNT is set to 'perhaps'");
    assertThat(errorOf(Map.of("CORDWOOD_NODE", "a:b"), "grep", "a"))
        .contains("--node: expected host:port")
        .contains("CORDWOOD_NODE is set to 'a:b'");
    assertThat(errorOf(Map.of("CORDWOOD_API_PORT", "70000"), "ingest"))
        .contains("CORDWOOD_API_PORT is set to '70000'");
    assertThat(errorOf(Map.of("CORDWOOD_API_PORT", "1"), "ingest", "--api-port=70000"))
        .contains("--api-port: expected")
        .doesNotContain("CORDWOOD");
    assertThat(errorOf(Map.of("CORDWOOD_NO_PAGER", "1"), "grep", "--node=localhost:1", "a"))
        .contains("localhost:1: cannot connect")
        .doesNotContain("CORDWOOD");
  }
}
