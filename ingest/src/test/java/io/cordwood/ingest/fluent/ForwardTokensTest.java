package io.cordwood.ingest.fluent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.testing.Patience;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ArrayValue;
import org.msgpack.value.ValueFactory;

/** A node that asks for tokens: the handshake of fluentd and Fluent Bit. */
class ForwardTokensTest extends ForwardFixture {
  private static final String HOST = "client-host";
  private static final byte[] SALT = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final String shop = TokenText.random();
  private final String reader = TokenText.random();
  private @Nullable Tokens tokens;

  private void start(boolean isOpen, Duration patience) throws IOException {
    close();
    Path file = folder.resolve("tokens");
    TokenFile.write(
        file, List.of(token("shop", shop, Scope.INGEST), token("r", reader, Scope.QUERY)));
    Tokens known = Tokens.of(file, InstantSource.system(), new SimpleMeterRegistry());
    tokens = known;
    node =
        new RunningNode(
            options(folder.resolve("tokens-" + isOpen), AGES),
            Filesystem.real(),
            registry ->
                new Admission(known, new Refusals(registry, AuditLog.NONE), isOpen, patience));
  }

  private static Token token(String name, String text, Scope scope) {
    return Token.of(name, text, Set.of(scope), new TopicPatterns(List.of("shop*")));
  }

  @AfterEach
  void closeTokens() {
    if (tokens != null) {
      tokens.close();
    }
  }

  private static String digest(String host, byte[] nonce, String key) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-512");
    digest.update(SALT);
    digest.update(host.getBytes(StandardCharsets.UTF_8));
    digest.update(nonce);
    digest.update(key.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** As fluentd does it; returns the answer, or null if the handshake was refused. */
  private ArrayValue shake(Socket socket, MessageUnpacker in, String username, String sharedKey)
      throws Exception {
    ArrayValue helo = in.unpackValue().asArrayValue();
    assertThat(helo.get(0)).isEqualTo(ValueFactory.newString("HELO"));
    byte[] nonce =
        helo.get(1).asMapValue().entrySet().stream()
            .filter(pair -> pair.getKey().equals(ValueFactory.newString("nonce")))
            .map(pair -> pair.getValue().asBinaryValue().asByteArray())
            .findFirst()
            .orElseThrow();
    socket
        .getOutputStream()
        .write(
            packed(packer -> {
              packer.packArrayHeader(6).packString("PING").packString(HOST);
              packer.packBinaryHeader(SALT.length).addPayload(SALT);
              packer.packString(digestOrFail(nonce, sharedKey));
              packer.packString(username).packString("a digest of the password");
            }));
    ArrayValue pong = in.unpackValue().asArrayValue();
    assertThat(pong.get(0)).isEqualTo(ValueFactory.newString("PONG"));
    if (pong.get(1).asBooleanValue().getBoolean()) {
      assertThat(pong.get(3).asStringValue().asString()).isEqualTo("cordwood");
      assertThat(pong.get(4).asStringValue().asString())
          .isEqualTo(digest("cordwood", nonce, sharedKey));
    }
    return pong;
  }

  private static String digestOrFail(byte[] nonce, String sharedKey) {
    try {
      return digest(HOST, nonce, sharedKey);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTokenAsUsernameAndSharedKeyIsLetIn() throws Exception {
    start(false, Patience.LONG);
    try (Socket socket = connect(node);
        MessageUnpacker in = MessagePack.newDefaultUnpacker(socket.getInputStream())) {
      assertThat(shake(socket, in, shop, shop).get(1).asBooleanValue().getBoolean()).isTrue();
      socket.getOutputStream().write(message("shop.web", 1_795_000_000, "in", "c"));
      assertThat(in.unpackValue().asMapValue().map())
          .containsEntry(ValueFactory.newString("ack"), ValueFactory.newString("c"));
      socket.getOutputStream().write(message("other", 1_795_000_000, "not of the token", "d"));
      assertThat(in.hasNext()).isFalse();
    }
    assertThat(StoredEvent.of(node, 1)).extracting(StoredEvent::topic).containsExactly("shop.web");
    node.assertLedgerIsExact();
  }

  @Test
  void othersAreToldWhyAndNotLetIn() throws Exception {
    start(false, Patience.LONG);
    String[][] wrong = {
      {"", shop, "expected"},
      {shop, "another", "the same token as username and as shared key"},
      {TokenText.random(), shop, "found one not known here"},
      {reader, reader, "scope"}
    };
    for (String[] each : wrong) {
      try (Socket socket = connect(node);
          MessageUnpacker in = MessagePack.newDefaultUnpacker(socket.getInputStream())) {
        ArrayValue pong = shake(socket, in, each[0], each[1]);
        assertThat(pong.get(1).asBooleanValue().getBoolean()).isFalse();
        assertThat(pong.get(2).asStringValue().asString()).contains(each[2]).doesNotContain("cw_x");
        assertThat(in.hasNext()).isFalse();
      }
    }
    node.assertLedgerIsExact();
  }

  @Test
  void aMessageWithoutHandshakeIsNotTaken() throws Exception {
    start(false, Patience.LONG);
    assertThat(send(message("shop", 1_795_000_000, "x", "c"))).doesNotContain("ack");
    assertThat(node.counted("records_stored")).isZero();
    node.assertLedgerIsExact();
  }

  @Test
  void aConnectionThatShowsNothingEnds() throws Exception {
    start(false, Duration.ofMillis(1));
    try (Socket socket = connect(node)) {
      assertThat(text(socket.getInputStream().readAllBytes())).contains("HELO");
    }
  }

  @Test
  void aNodeThatIsOpenForSendersGreetsNobody() throws Exception {
    start(true, Patience.LONG);
    assertThat(send(message("any", 1_795_000_000, "x", "c"))).isEqualTo(ack("c"));
  }
}
