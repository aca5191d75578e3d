package io.cordwood.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

final class ConfigFileTest {
  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("f");
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text.replace('~', '\n'));
  }

  private static CommandLine node(String role) {
    return Programs.line("cordwood " + role, Objects.requireNonNull(Cordwood.named(role)));
  }

  /** A flag's value and what set it, with the file. */
  private String effective(String flag, Map<String, String> variables, String... args) {
    CommandLine line = node("store");
    String[] all =
        Stream.concat(Stream.of("--config", file.toString()), Stream.of(args))
            .toArray(String[]::new);
    Settings settings = Programs.parse(line, variables, all);
    OptionSpec option = line.getCommandSpec().findOption(flag);
    return option.getValue() + " by " + settings.origin(option);
  }

  @Test
  void flagsCountMoreThanVariablesThoseMoreThanTheFileAndThatMoreThanTheDefault() throws Exception {
    write(
        "# a comment~~  api-port = 1  # another~store.bind=127.0.0.2~"
            + "bind=127.0.0.3~ingest.topic=a~");
    Map<String, String> variables = Map.of("CORDWOOD_API_PORT", "2");
    assertThat(effective("--api-port", variables, "--api-port=3")).isEqualTo("3 by command line");
    assertThat(effective("--api-port", variables)).isEqualTo("2 by CORDWOOD_API_PORT");
    assertThat(effective("--api-port", Map.of())).isEqualTo("1 by api-port in " + file + " line 3");
    assertThat(effective("--bind", Map.of()))
        .isEqualTo("127.0.0.2 by store.bind in " + file + " line 4");
    assertThat(effective("--gossip-port", Map.of())).isEqualTo("7659 by default");
  }

  @Test
  void fileIsNamedByAVariableToo() throws IOException {
    write("data = /x#y~peer = a,b:1~");
    CommandLine line = node("query");
    Programs.parse(line, Map.of("CORDWOOD_CONFIG", file.toString()));
    assertThat(line.getCommandSpec().findOption("--data").<Path>getValue())
        .isEqualTo(Path.of("/x#y"));
    assertThat(line.getCommandSpec().findOption("--peer").<Object>getValue())
        .hasToString("[a, b:1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ingest", "store", "ingeststore", "query"})
  void everyFlagOfANodeIsAKey(String role) throws IOException {
    for (OptionSpec option : node(role).getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp() && !option.names()[0].equals("--config")) {
        Class<?> type = option.auxiliaryTypes()[0];
        Object[] values = type.getEnumConstants();
        String value =
            values != null
                ? values[0].toString()
                : type.equals(java.time.Duration.class) || option.paramLabel().endsWith("DURATION")
                    ? "7s"
                    : type == boolean.class ? "true" : "21";
        write(option.longestName().substring(2) + "=" + value);
        CommandLine byFile = node(role);
        Programs.parse(byFile, Map.of(), "--config=" + file);
        CommandLine byFlag = node(role);
        Programs.parse(byFlag, Map.of(), "--config=/dev/null", option.longestName() + "=" + value);
        assertThat(byFile.getCommandSpec().findOption(option.longestName()).<Object>getValue())
            .isEqualTo(byFlag.getCommandSpec().findOption(option.longestName()).getValue());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          api-prot = 1           | unknown key 'api-prot' of 'cordwood store'; did you mean api-p
          --api-port = 1         | unknown key '--api-port' of 'cordwood store'
          fast-port = 1          | unknown key 'fast-port' of 'cordwood store'; a flag of another
          topic = a              | as in ingest.topic
          store.retenton = 1d    | did you mean store.retention?
          stroe.retention = 1d   | did you mean store.retention?
          config = x             | unknown key 'config'
          # a~~api-port          | line 3: expected 'flag = value', found 'api-port'
          = 5                    | line 1: expected 'flag = value', found '= 5'
          api-port =             | line 1: expected a value for 'api-port', found none
          api-port = # none      | line 1: expected a value for 'api-port', found none
          api-port=1~~api-port=2 | line 3: 'api-port' is set by line 1 already
          api-port = x           | --api-port: expected a whole number, found "x" (api-port in
          """)
  void whatIsWrongIsSaidWithItsPlace(String text, String expected) throws IOException {
    write(text);
    assertThatThrownBy(() -> effective("--bind", Map.of()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(expected)
        .hasMessageContaining(file + " line ");
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    assertThatThrownBy(() -> effective("--bind", Map.of()))
        .hasMessage(file + ": no such file or folder");
    Files.createDirectory(file);
    assertThatThrownBy(() -> effective("--bind", Map.of())).hasMessage(file + ": Is a directory");
  }

  @Test
  void randomBytesAreOneClearLine() throws IOException {
    var random = new Random(25);
    for (int round = 0; round < 200; round++) {
      byte[] bytes = new byte[random.nextInt(1, 5000)];
      random.nextBytes(bytes);
      Files.write(file, bytes);
      assertThatThrownBy(() -> ConfigFile.read(file))
          .isInstanceOf(CommandException.class)
          .message()
          .startsWith(file + " line ")
          .contains("expected ")
          .contains("found ")
          .hasSizeLessThan(file.toString().length() + 150)
          .matches(message -> message.codePoints().noneMatch(Character::isISOControl));
    }
  }

  @Test
  void fileIsBounded() throws IOException {
    Files.write(file, new byte[ConfigFile.MAX_BYTES + 1]);
    assertThatThrownBy(() -> ConfigFile.read(file))
        .hasMessage(file + ": expected at most 1 MiB, found more");
    Files.write(file, "#".repeat(ConfigFile.MAX_BYTES).getBytes(StandardCharsets.UTF_8));
    assertThat(ConfigFile.read(file).entries()).isEmpty();
  }

  /** Even for root: a folder that leads to itself. */
  @Test
  void theUsualFileIsMissingOnlyIfThatIsCertain() throws IOException {
    assertThat(ConfigFile.orUsual(null, folder.resolve("none/f"))).isEmpty();
    Path loop = Files.createSymbolicLink(file, file);
    assertThatThrownBy(() -> ConfigFile.orUsual(null, loop.resolve("f")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(loop.resolve("f").toString());
  }
}
