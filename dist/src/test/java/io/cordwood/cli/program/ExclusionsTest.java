package io.cordwood.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.dist.Cordwood;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

final class ExclusionsTest {
  private static ParseResult checked(String line) {
    List<String> words = List.of(line.split(" ", -1));
    String name = words.getFirst();
    CommandLine command = Programs.line(name, Objects.requireNonNull(Cordwood.named(name)));
    ParseResult given = command.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    Exclusions.check(given);
    return given;
  }

  @ParameterizedTest
  @CsvSource({
    "grep -m 1 -m 2 x, --max-count, 2",
    "grep -n 1 --tail 2 x, --tail, 2",
    "grep -i -i x, --ignore-case, true",
    "grep -c --count x, --count, true",
    "grep --template 1 --template 2 x, --template, 2",
    "grep -h -h x pom.xml, --no-filename, true",
    "tail --json --json, --json, true",
    "read --text --text, --text, true",
    "histogram --buckets 1 --buckets 2, --buckets, 2",
    "topics --tz UTC --tz +01:00, --tz, +01:00",
  })
  void aFlagThatIsGivenAgainCountsAsGivenLast(String line, String flag, String value) {
    Object found = checked(line).matchedOptionValue(flag, (Object) "none");
    assertThat(found).hasToString(value);
  }

  @ParameterizedTest
  @CsvSource({
    "grep -m 1 -n 1 x, expected -m or -n",
    "grep -F -E x, expected -F or -E",
    "grep -iS x, expected -i or -S",
    "grep -l -L x pom.xml, expected -l or -L",
    "grep -H -h x pom.xml, expected -H or -h",
    "grep --dry-run --json x, expected --dry-run or --json",
    "tail --ulid --template x, expected --ulid or --template",
    "read --text --json, expected --text or --json",
    "histogram --bucket 1m --buckets 1, expected --bucket or --buckets",
    "topics --utc --tz UTC, expected --utc or --tz",
    "grep -o -v x, expected -o or -v",
    "grep --follow -m 1 x, expected --follow or -m",
    "grep --follow -C 1 x, expected --follow or -C",
    "grep --until now --follow x, expected --to or --follow",
  })
  void flagsThatExcludeEachOtherAreRefused(String line, String message) {
    assertThatThrownBy(() -> checked(line))
        .isInstanceOf(ParameterException.class)
        .hasMessageStartingWith(message + ", found both");
  }

  @Test
  void flagsOfOtherSetsAreNotExcluded() {
    ParseResult given = checked("grep -i -F -c -m 1 -H x pom.xml");
    OptionSpec ignoreCase = given.commandSpec().findOption("-i");
    assertThat(Exclusions.of(ignoreCase).map(OptionSpec::longestName))
        .containsExactly("--smart-case");
    assertThat(Exclusions.of(given.commandSpec().findOption("--help"))).isEmpty();
  }
}
