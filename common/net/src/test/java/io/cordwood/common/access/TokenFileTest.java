package io.cordwood.common.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenFileTest {
  private static final String HASH = "0".repeat(64);

  @TempDir Path folder;

  static Token token(String name, String text, Set<Scope> scopes, String... topics) {
    return Token.of(
        name,
        text,
        scopes,
        topics.length == 0 ? TopicPatterns.ALL : new TopicPatterns(List.of(topics)));
  }

  private IOException refusalOf(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("tokens"), text, StandardCharsets.ISO_8859_1);
    try {
      TokenFile.read(file);
    } catch (IOException e) {
      return e;
    }
    throw new AssertionError("expected a refusal of " + text);
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    Token first = token("first", TokenText.random(), Set.of(Scope.INGEST), "shop*", "audit");
    Token second =
        new Token(
            "second",
            "ab".repeat(32),
            Set.of(Scope.QUERY, Scope.ADMIN),
            TopicPatterns.ALL,
            Labels.of(Map.of("namespace", "a b,c=d \u00fc%", "team", "")),
            Optional.of(Instant.parse("2031-01-02T03:04:05Z")),
            1024,
            3);
    Path file = folder.resolve("tokens");
    TokenFile.write(file, List.of(first, second));
    assertThat(TokenFile.read(file).tokens()).containsExactly(first, second);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(folder)
        .isDirectoryContaining("glob:**tokens")
        .isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void ofManyChangesAtOnceNoneIsLost() throws Exception {
    Path file = folder.resolve("tokens");
    List<Callable<Void>> changes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Token token = token("t" + i, TokenText.random(), Set.of(Scope.QUERY));
      changes.add(() -> {
        TokenFile.change(file, before -> Stream.concat(before.stream(), Stream.of(token)).toList());
        return null;
      });
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> change : threads.invokeAll(changes)) {
        change.get();
      }
    }
    assertThat(TokenFile.read(file).tokens()).hasSize(20);
  }

  @Test
  void theFileHoldsNoToken() throws IOException {
    String text = TokenText.random();
    TokenFile.write(folder.resolve("t"), List.of(token("a", text, Set.of(Scope.QUERY))));
    assertThat(folder.resolve("t")).content().doesNotContain(text).contains("a sha256=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a scopes=query topics=*",
        "a sha256=HASH topics=*",
        "a sha256=HASH scopes=query",
        "a sha256=HASH scopes= topics=*",
        "a sha256=HASH scopes=root topics=*",
        "a sha256=HASH scopes=query topics=",
        "a sha256=HASH scopes=query topics=a*b",
        "a sha256=HASH scopes=query topics=../x",
        "a sha256=00 scopes=query topics=*",
        "a/b sha256=HASH scopes=query topics=*",
        "a sha256=HASH scopes=query topics=* expires=tomorrow",
        "a sha256=HASH scopes=query topics=* ingest-rate=0",
        "a sha256=HASH scopes=query topics=* ingest-rate=-1",
        "a sha256=HASH scopes=query topics=* queries=99999999999",
        "a sha256=HASH scopes=query topics=* scopes=admin",
        "a sha256=HASH scopes=query topics=* colour=red",
        "a sha256=HASH scopes=query topics=*\na sha256=HASH scopes=query topics=*"
      })
  void whatIsNoFileOfTokensIsRefusedWithoutItsHashes(String text) throws IOException {
    String line = text.replace("HASH", HASH);
    assertThat(refusalOf("# comment\n\n" + line).getMessage())
        .contains("tokens")
        .contains("expected")
        .doesNotContain(HASH);
  }

  @Test
  void randomBytesAreRefused() throws IOException {
    var random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[1 + random.nextInt(2000)];
      random.nextBytes(bytes);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      if (!text.isBlank() && !text.startsWith("#")) {
        assertThat(refusalOf(text)).hasMessageContaining("line");
      }
    }
  }

  @Test
  void aFileThatIsNotThereSaysHowToMakeIt() {
    assertThatThrownBy(() -> TokenFile.read(folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cordwood token add");
  }

  @Test
  void tokensAreComparedInConstantTime() throws IOException {
    // Their hashes, and calls' signatures; nothing else in here compares secrets.
    for (String name : List.of("TokenList", "NodeKeys")) {
      Path source = Path.of("src/main/java/io/cordwood/common/access/" + name + ".java");
      assertThat(source)
          .content()
          .contains("MessageDigest.isEqual(")
          .doesNotContain("Arrays.equals");
    }
  }
}
