package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.ReadFlags;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A place that cannot be one is refused before a node starts. */
final class ColdFlagsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          s3://logs?style=wrong     | expected style=path or style=virtual, found wrong
          s3://logs?endpoint=minio  | expected an endpoint http://HOST:PORT or https://HOST:PORT
          s3://logs?secret=x        | expected endpoint=, region=, style=
          file:///logs?style=path   | expected no parameter of a folder but key=, found file:
          ftp://logs                | expected file:///FOLDER or s3://BUCKET/PREFIX, found ftp:
          """)
  void aPlaceThatCannotBeOneIsRefused(String place, String why) {
    ColdFlags flags = ReadFlags.into(new ColdFlags(), "--cold=" + place);
    assertThatThrownBy(() -> flags.check(Path.of("data")))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("--cold: " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --retention=30d --cold-retention=7d | expected at least as long as --retention, found 168h
          --cold-retention=a*=1d              | expected at least as long as --retention, found 24h
          --cold-retention=0s                 | expected more than 0, and at most 1000y, found 0s
          --cold-retention=366001d            | expected more than 0, and at most 1000y, found
          --cold-retention=30d --cold=        | expected --cold beside it
          """)
  void aTimeInTheBucketThatCannotBeOneIsRefused(String flags, String why) {
    var command = new StoreCommand();
    CommandLine line = Programs.line("cordwood store", command);
    String[] all = ("--cold=file:///cold " + flags).split(" ");
    Programs.parse(line, Map.of(), all);
    assertThatThrownBy(command::check)
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("--cold-retention: " + why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--cold-cache-size=1GiB",
        "--cold-max-requests=1000",
        "--cold-after=2h",
        "--cold-rate=1MiB",
        "--cold-evict-after=3h",
        "--cold-retention=30d"
      })
  void whatSaysMoreOfAPlaceTakesOne(String flag) {
    var command = new StoreCommand();
    Programs.parse(Programs.line("cordwood store", command), Map.of(), flag);
    assertThatThrownBy(command::check)
        .isInstanceOf(CommandException.class)
        .hasMessage(flag.split("=", 2)[0] + ": expected --cold beside it");
  }
}
