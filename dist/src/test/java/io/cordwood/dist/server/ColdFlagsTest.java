package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ReadFlags;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
          file:///logs?style=path   | expected no parameters of a folder, found file:///logs?style=
          ftp://logs                | expected file:///FOLDER or s3://BUCKET/PREFIX, found ftp:
          """)
  void aPlaceThatCannotBeOneIsRefused(String place, String why) {
    ColdFlags flags = ReadFlags.into(new ColdFlags(), "--cold=" + place);
    assertThatThrownBy(() -> flags.check(Path.of("data")))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("--cold: " + why);
  }
}
