package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessFlagsTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "127.3.2.1"})
  void loopbackNeedsNothing(String bind) {
    assertThatCode(() -> new AccessFlags().check(bind, false)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, false, false, --tokens",
    "0.0.0.0, false, true, --tokens",
    "0.0.0.0, true, false, --tls-dir",
    "192.0.2.1, false, false, --tokens",
    "::, false, false, --tokens",
  })
  void otherAddressesNeedTokensAndTls(
      String bind, boolean hasTokens, boolean hasTls, String lacking) {
    var flags = new AccessFlags();
    flags.tokens = hasTokens ? Path.of("tokens") : null;
    assertThatThrownBy(() -> flags.check(bind, hasTls))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("there is no " + lacking)
        .hasMessageContaining("--insecure")
        .hasMessageContaining("--bind 127.0.0.1");
    flags.tokens = Path.of("tokens");
    assertThatCode(() -> flags.check(bind, true)).doesNotThrowAnyException();
    var insecure = new AccessFlags();
    insecure.insecure = true;
    assertThatCode(() -> insecure.check(bind, false)).doesNotThrowAnyException();
  }
}
