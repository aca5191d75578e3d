package io.cordwood.common.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {
  @Test
  void nameWithPort() {
    assertThat(HostPort.parse("node-1.example.org:7659", 1))
        .isEqualTo(new HostPort("node-1.example.org", 7659));
  }

  @Test
  void nameAloneGetsTheDefaultPort() {
    assertThat(HostPort.parse("node_1", 7659)).isEqualTo(new HostPort("node_1", 7659));
  }

  @Test
  void sixthVersionAddressHasBrackets() {
    assertThat(HostPort.parse("[::1]:80", 1)).isEqualTo(new HostPort("::1", 80));
    assertThat(HostPort.parse("[fe80::1%eth0]", 7)).isEqualTo(new HostPort("fe80::1%eth0", 7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:1", "[::1]:65535", "127.0.0.1:0"})
  void printedFormReadsBack(String text) {
    assertThat(HostPort.parse(text, 9)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":1",
        "a:",
        "a:b",
        "a:-1",
        "a:65536",
        "a:999999999999",
        "::1",
        "[::1",
        "[::1]80",
        "[a]:1",
        "[a_b:1]:2",
        "[1:2]",
        "[::1%]",
        "[]:1",
        "a b:1",
        "a/b:1",
        "http://a:1",
        "a:1:2",
        "ä:1",
        "a:１"
      })
  void anythingElseIsRefusedAndQuoted(String text) {
    assertThatThrownBy(() -> HostPort.parse(text, 7659))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void hostLongerThanNamesGetIsRefused() {
    assertThat(HostPort.parse("a".repeat(253), 1).host()).hasSize(253);
    assertThatThrownBy(() -> HostPort.parse("a".repeat(254), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void addressResolvesToItself() throws Exception {
    assertThat(HostPort.parse("[::1]:5", 1).resolve().getAddress())
        .isEqualTo(InetAddress.ofLiteral("::1"));
  }

  @Test
  void listenerOnOneAddressAdvertisesIt() {
    assertThat(AdvertisedHost.of("127.0.0.7")).isEqualTo("127.0.0.7");
    assertThat(AdvertisedHost.of("node-1")).isEqualTo("node-1");
  }

  @Test
  void listenerOnAllAddressesAdvertisesOneOfThem() throws Exception {
    assertThat(InetAddress.ofLiteral(AdvertisedHost.of("0.0.0.0")).isAnyLocalAddress()).isFalse();
    assertThat(InetAddress.ofLiteral(AdvertisedHost.of("::")).isAnyLocalAddress()).isFalse();
  }
}
