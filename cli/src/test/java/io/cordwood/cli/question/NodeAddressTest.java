package io.cordwood.cli.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeAddressTest {
  @ParameterizedTest
  @CsvSource({
    "log1, http://log1:7650/query",
    "log1:80, http://log1:80/query",
    "log1:80/, http://log1:80/query",
    "http://log1, http://log1:7650/query",
    "http://log1:80/, http://log1:80/query",
    "https://log1, https://log1:7650/query",
    "https://log1:7650/, https://log1:7650/query",
    "https://example.com/logs, https://example.com:443/logs/query",
    "https://example.com:8443/a/logs/, https://example.com:8443/a/logs/query",
    "http://example.com/logs, http://example.com:80/logs/query",
    "example.com/logs, http://example.com:80/logs/query",
    "'https://[::1]/logs', 'https://[::1]:443/logs/query'",
  })
  void urlsAreTakenAsTheyAreWritten(String text, String address) {
    assertThat(NodeAddress.parse(text).uri("/query")).hasToString(address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://log1", "https://log1/a?b", "http://", "log1:x", "log1/a^b", ""})
  void otherThingsAreRefused(String text) {
    assertThatThrownBy(() -> NodeAddress.parse(text))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("--node: ");
  }
}
