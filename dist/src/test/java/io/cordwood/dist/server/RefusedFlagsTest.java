package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Programs;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What cannot be is refused before anything that a node or a search needs is loaded or made. */
final class RefusedFlagsTest {
  private static final Pattern LOADED = Pattern.compile("\\] (\\S+) source:");

  /** Of servers, searches and counters; the flags of a node name options of its parts. */
  private static final Pattern HEAVY =
      Pattern.compile(
          "io\\.(netty|scalecube|micrometer)\\..*|reactor\\..*|tools\\.jackson\\..*"
              + "|java\\.net\\.http\\..*|io\\.cordwood\\.query\\.(scan|gather|tail)\\..*"
              + "|io\\.cordwood\\.query\\.match\\.(?!PatternException|RefusedException).*"
              + "|io\\.cordwood\\.dist\\.server\\.Node(Status|Access)?");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --flush-size=1         | --flush-size: expected 1MiB to 1GiB, found 1
          --flush-age=0s         | --flush-age: expected more than 0, found 0s
          --lease=2h             | --lease: expected 1s to 1h, found 2h
          --commit-delay=1m      | --commit-delay: expected 0s to 1s, found 1m
          --bulk-max-size=9GiB   | --bulk-max-size: expected 1 to 1GiB, found 9GiB
          --max-topics=99999     | --max-topics: expected at most 10000, found 99999
          --max-connections=0    | --max-connections: expected 1 or more, found 0
          --topic=a/b            | --topic: expected a topic of 1 to 128 characters
          --topic-from=a,b=c     | --topic-from:
          --syslog-port=99999    | --syslog-port: expected a port from 0 to 65535, found 99999
          --otlp-port=99999      | --otlp-port: expected a port from 0 to 65535, found 99999
          --advertise=a_b:1      | --advertise: the host has a ':', and is no IPv6 address
          --allowed-host=a/b     | --allowed-host: the host holds a character
          --cors-origin=a.com    | --cors-origin: expected http:// or https:// and a name
          --cluster-key-file=.   | --cluster-key-file: .: expected a file, found a folder
          --replication-factor=0 | store: expected a replication factor from 1 to 16, found 0
          --cold-retention=30d   | --cold-retention: expected --cold beside it
          """)
  void aCheckRefusesWhatANodeRefuses(String flag, String why) {
    var command = new IngestStoreCommand();
    Programs.parse(Programs.line("cordwood ingeststore", command), Map.of(), flag);
    assertThatThrownBy(command::check)
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          backup --qqq        | unknown option '--qqq'
          backup              | Missing required parameter: 'DIR'
          forward --flie x    | unknown option '--flie'; did you mean --file?
          config check --roel | unknown option '--roel'; did you mean --role?
          """)
  void aWrongOptionIsNamedBeforeAMissingArgument(String line, String why) {
    String[] words = line.split(" ");
    CommandLine command = Programs.line(words[0], Objects.requireNonNull(Cordwood.named(words[0])));
    String[] arguments = Stream.of(words).skip(1).toArray(String[]::new);
    assertThatThrownBy(() -> Programs.parse(command, Map.of(), arguments)).hasMessage(why);
  }

  @ParameterizedTest
  @CsvSource({
    "ingeststore --flush-size 1",
    "query --cluster-name a/b",
    "forward --label x localhost",
    "watch --qqq",
    "tail --qqq"
  })
  void nothingHeavyIsLoadedForIt(String line) throws Exception {
    assertThat(loaded(2, line.split(" ")).filter(HEAVY.asMatchPredicate())).isEmpty();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  /** These are read when all else has been checked; the folder is still as it was. */
  @Test
  void nothingIsMadeForANodeWhoseTokensCannotBeRead() throws Exception {
    assertThat(loaded(2, "query", "--tokens", "none", "--data", "data")).isNotEmpty();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void aRefusalLoadsLessThanAnAnswer() throws Exception {
    Files.writeString(folder.resolve("log"), "one\n");
    assertThat(loaded(2, "grep", "--srot", "one", "log").count())
        .isLessThan(loaded(0, "grep", "one", "log").count());
  }

  /** The classes that a command loads, as a process of its own. */
  private Stream<String> loaded(int exitCode, String... command)
      throws IOException, InterruptedException {
    Path log = folder.resolve("classes");
    var all = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    all.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load:file=" + log,
            "-cp",
            System.getProperty("java.class.path"),
            Cordwood.class.getName()));
    all.addAll(List.of(command));
    var builder = new ProcessBuilder(all).directory(folder.toFile());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile());
    assertThat(builder.start().waitFor()).isEqualTo(exitCode);
    return Files.readAllLines(log).stream()
        .map(LOADED::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }
}
