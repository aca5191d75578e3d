package io.cordwood.cli.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenCommandTest {
  @TempDir Path folder;

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--file=" + folder.resolve("tokens"));
    return CommandRun.of("token", new TokenCommand(), all.toArray(String[]::new));
  }

  @Test
  void aTokenIsMadeAndRemoved() throws Exception {
    Instant before = Instant.now();
    CommandRun add =
        run(
            "add",
            "shop",
            "--scope=ingest,query",
            "--topic=shop*,audit",
            "--expires=90d",
            "--ingest-rate=1MiB",
            "--queries=4");
    assertThat(add.code()).isZero();
    List<Token> tokens = TokenFile.read(folder.resolve("tokens")).tokens();
    assertThat(tokens)
        .singleElement()
        .satisfies(token -> {
          assertThat(token.name()).isEqualTo("shop");
          assertThat(token.topics().texts()).containsExactly("shop*", "audit");
          assertThat(token.ingestBytesPerSecond()).isEqualTo(1 << 20);
          assertThat(token.queries()).isEqualTo(4);
          assertThat(token.expires().orElseThrow())
              .isAfter(before.plus(Duration.ofDays(89)))
              .isBefore(before.plus(Duration.ofDays(91)));
        });
    assertThat(run("add", "all", "--scope=admin").code()).isZero();
    assertThat(run("remove", "shop").code()).isZero();
    assertThat(TokenFile.read(folder.resolve("tokens")).tokens())
        .extracting(Token::name)
        .containsExactly("all");
  }

  @Test
  void aNameIsThereOnce() {
    assertThat(run("add", "a", "--scope=query").code()).isZero();
    assertThat(run("add", "a", "--scope=query").err()).contains("expected a new name, found a");
    assertThat(run("remove", "b").err()).contains("found no b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add a",
        "add a --scope=root",
        "add a --scope=query --topic=a*b",
        "add a --scope=query --expires=0s",
        "add a --scope=query --queries=0",
        "add a/b --scope=query",
        "list",
        "remove a"
      })
  void whatIsNoTokenIsRefusedAndNothingIsWritten(String line) {
    CommandRun result = run(line.split(" ", -1));
    assertThat(result.code()).isEqualTo(Programs.ERROR);
    assertThat(result.err()).containsAnyOf("expected", "no such file");
    assertThat(folder).isEmptyDirectory();
  }
}
