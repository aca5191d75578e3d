package io.cordwood.common.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.DeniedException.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokensTest {

  @TempDir Path folder;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final InstantSource clock = now::get;
  private final String text = TokenText.random();
  private Path file = Path.of("set later");
  private Tokens tokens;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("tokens");
    TokenFile.write(file, List.of(TokenFileTest.token("one", text, Set.of(Scope.QUERY), "shop*")));
    tokens = Tokens.of(file, clock, registry);
  }

  @AfterEach
  void close() {
    tokens.close();
  }

  private Optional<Reason> refusal(String shown, Scope scope) {
    try {
      tokens.admit(shown, scope);
      return Optional.empty();
    } catch (DeniedException e) {
      assertThat(e).hasMessageContaining("expected").message().doesNotContain("shop");
      return Optional.of(e.reason());
    }
  }

  @Test
  void aTokenIsLetInForItsScopesOnly() {
    assertThat(refusal(text, Scope.QUERY)).isEmpty();
    assertThat(refusal(text, Scope.INGEST)).contains(Reason.SCOPE);
    assertThat(refusal(text, Scope.ADMIN)).contains(Reason.SCOPE);
  }

  @Test
  void otherTextsAreRefused() {
    assertThat(refusal(TokenText.random(), Scope.QUERY)).contains(Reason.UNKNOWN);
    for (String odd :
        List.of(
            "",
            "cw_",
            text + "x",
            text.substring(1),
            text.substring(0, text.length() - 1),
            text.toUpperCase(java.util.Locale.ROOT),
            text.substring(0, 45) + "é",
            text.substring(0, 45) + "\0",
            "x".repeat(1 << 20))) {
      assertThat(refusal(odd, Scope.QUERY)).contains(Reason.MALFORMED);
    }
  }

  @Test
  void oneOtherCharacterIsAnotherToken() {
    var random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      int at = 3 + random.nextInt(43);
      char other = text.charAt(at) == 'A' ? 'B' : 'A';
      assertThat(refusal(text.substring(0, at) + other + text.substring(at + 1), Scope.QUERY))
          .contains(Reason.UNKNOWN);
    }
  }

  @Test
  void aTokenExpires() throws IOException {
    tokens.close();
    Instant end = Instant.EPOCH.plusSeconds(60);
    Token before = tokens(file).getFirst();
    TokenFile.write(
        file,
        List.of(
            new Token(
                "one",
                before.hash(),
                before.scopes(),
                before.topics(),
                Optional.of(end),
                before.ingestBytesPerSecond(),
                before.queries())));
    tokens = Tokens.of(file, clock, registry);
    now.set(end.minusMillis(1));
    assertThat(refusal(text, Scope.QUERY)).isEmpty();
    now.set(end);
    assertThat(refusal(text, Scope.QUERY)).contains(Reason.EXPIRED);
  }

  private static List<Token> tokens(Path file) throws IOException {
    return TokenFile.read(file).tokens();
  }

  @Test
  void aChangedFileIsReadAgain() throws IOException {
    Object before = tokens.version();
    String other = TokenText.random();
    TokenFile.write(file, List.of(TokenFileTest.token("two", other, Set.of(Scope.QUERY))));
    await().until(() -> refusal(other, Scope.QUERY).isEmpty());
    assertThat(refusal(text, Scope.QUERY)).contains(Reason.UNKNOWN);
    assertThat(tokens.version()).isNotSameAs(before);
  }

  @Test
  void aFileOfRandomBytesOrNoneChangesNothingAndIsCounted() throws IOException {
    byte[] bytes = new byte[4096];
    new Random(1).nextBytes(bytes);
    Files.write(file, bytes);
    awaitFailures(1);
    assertThat(refusal(text, Scope.QUERY)).isEmpty();
    Files.delete(file);
    awaitFailures(2);
    assertThat(refusal(text, Scope.QUERY)).isEmpty();
    TokenFile.write(file, List.of());
    await().until(() -> refusal(text, Scope.QUERY).equals(Optional.of(Reason.UNKNOWN)));
  }

  @Test
  void aFileThatCouldNotBeReadIsReadOnceItCanBe() throws IOException {
    byte[] good = Files.readAllBytes(file);
    FileTime time = Files.getLastModifiedTime(file);
    Files.write(file, new byte[good.length]);
    awaitFailures(1);
    String other = TokenText.random();
    var two = TokenFileTest.token("two", other, Set.of(Scope.QUERY), "shop*");
    // The same size, file and time: nothing shows that the file can be read now.
    Files.writeString(file, TokenFile.line(two) + "\n");
    Files.setLastModifiedTime(file, time);
    await().until(() -> refusal(other, Scope.QUERY).isEmpty());
    assertThat(refusal(text, Scope.QUERY)).contains(Reason.UNKNOWN);
  }

  private void awaitFailures(double count) {
    await().until(() -> registry.counter("cordwood_tokens_reload_failures_total").count() >= count);
  }
}
