package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterKeysTest {
  private static final String HEX = "0123456789abcdef".repeat(4);
  private static final String OTHER = "f".repeat(64);

  @TempDir Path folder;

  @Test
  void keyIsReadAsHexOrBase64() throws IOException {
    String base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(HEX));
    assertThat(read(HEX).ids()).isEqualTo(read(base64 + "\n").ids()).hasSize(1);
    assertThat(read(HEX.toUpperCase(Locale.ROOT) + "\r\n").ids()).isEqualTo(read(HEX).ids());
  }

  @Test
  void keysAreInTheOrderOfTheFile() throws IOException {
    ClusterKeys both = read("# new\n" + HEX + "\n\n  # old\n" + OTHER + "\n");
    assertThat(both.ids()).containsExactly(id(HEX), id(OTHER));
    assertThat(both.sharedWith(both.ids()).orElseThrow().id()).isEqualTo(id(HEX));
    assertThat(read(OTHER + "\n" + HEX).sharedWith(both.ids()).orElseThrow().id())
        .isEqualTo(id(OTHER));
    assertThat(read(OTHER).sharedWith(read(HEX).ids())).isEmpty();
  }

  @Test
  void idIsThatOfHkdf() throws IOException, GeneralSecurityException {
    byte[] info = "cordwood gossip key id\0\1".getBytes(StandardCharsets.US_ASCII);
    byte[] extracted = hmac(new byte[32], HexFormat.of().parseHex(HEX));
    byte[] expanded = hmac(extracted, info);
    assertThat(read(HEX).ids())
        .containsExactly(HexFormat.of().formatHex(Arrays.copyOf(expanded, ClusterKey.ID_BYTES)));
  }

  @Test
  void keyIsNeverShown() throws IOException {
    assertThat(new ClusterKey(HexFormat.of().parseHex(HEX)).toString()).doesNotContain("0123");
    assertThatThrownBy(() -> read(HEX + "0"))
        .hasMessage(
            folder.resolve("key")
                + " line 1: expected a key of 64 hex digits or 44 characters of base64, found 65"
                + " characters");
    assertThatThrownBy(() -> read("# a\n" + HEX.replace('a', 'x')))
        .hasMessageContaining("line 2: ")
        .hasMessageContaining("found 64 characters that are neither")
        .hasMessageNotContaining("0123");
  }

  @Test
  void fileThatIsNoKeyFileIsRefused() {
    refuses("", "expected 1 to 8 keys, a line each, found 0");
    refuses("# nothing\n\n", "found 0");
    refuses(HEX + "\n" + HEX, "line 2: this key is there already");
    refuses("=".repeat(44), "that are neither");
    refuses("#".repeat(20_000), "at most 16.0 KiB");
    assertThatThrownBy(() -> ClusterKeys.read(folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such file; one can be made with: openssl rand -hex 32 > ");
  }

  @Test
  void tooManyKeysAreRefused() {
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < 9; i++) {
      keys.append(HEX, 1, 64).append(i).append('\n');
    }
    refuses(keys.toString(), "found 9");
  }

  private void refuses(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }

  private ClusterKeys read(String text) throws IOException {
    return ClusterKeys.read(Files.writeString(folder.resolve("key"), text));
  }

  private static String id(String hex) {
    return new ClusterKey(HexFormat.of().parseHex(hex)).id();
  }

  private static byte[] hmac(byte[] key, byte[] data) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(data);
  }
}
