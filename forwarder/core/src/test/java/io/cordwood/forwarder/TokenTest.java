package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.testing.Patience;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenTest {
  private static final String TOKEN = "cw_" + "aB3-_".repeat(9).substring(2);
  private static final int BATCH_MAGIC = 0xFC435742;

  /** Senders of other tests may still be trying ports of 127.0.0.1 that were free again. */
  private static final String HOST = "127.0.0.77";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, ForwarderOptions.MIN_UPLOAD_BYTES})
  void aTokenIsShownBeforeTheFirstBatchOfEachConnection(int uploadBytes) throws Exception {
    try (var node = new ServerSocket(0, 5, InetAddress.getByName(HOST))) {
      ForwarderOptions options =
          ForwarderOptions.builder()
              .target(HOST, node.getLocalPort())
              .uploadBytes(uploadBytes)
              .linger(Duration.ZERO)
              .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
              .connectTimeout(Patience.LONG)
              .ackTimeout(Patience.LONG)
              .token(TOKEN)
              .build();
      try (Forwarder forwarder = Forwarder.start(options, new ForwarderListener() {})) {
        byte[] record = "a line".getBytes(StandardCharsets.US_ASCII);
        assertThat(forwarder.send(record)).isTrue();
        for (int connection = 0; connection < 2; connection++) {
          try (Socket accepted = node.accept()) {
            accepted.setSoTimeout((int) Patience.LONG.toMillis());
            var in = new DataInputStream(accepted.getInputStream());
            String asked = uploadBytes == 0 ? " hints=1 clock=1 labels=1" : " labels=1";
            String first = "CORDWOOD/1 token=" + TOKEN + asked + "\n";
            assertThat(new String(in.readNBytes(first.length()), StandardCharsets.US_ASCII))
                .isEqualTo(first);
            if (uploadBytes == 0) {
              String clock = "clock " + System.currentTimeMillis() + "\n";
              accepted.getOutputStream().write(clock.getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(in.readInt()).isEqualTo(BATCH_MAGIC);
            if (connection == 1) {
              accepted.getOutputStream().write("ack 1\n".getBytes(StandardCharsets.US_ASCII));
            } else {
              accepted
                  .getOutputStream()
                  .write("error: expected a token\n".getBytes(StandardCharsets.US_ASCII));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cw_short", "no token at all", "cw_\n"})
  void whatIsNoTokenIsRefusedAndNotShown(String odd) {
    var options = ForwarderOptions.builder().target("a", 1).token(odd);
    assertThatThrownBy(options::build)
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("expected a token")
        .doesNotContain(odd);
  }

  @Test
  void aFileThatIsReplacedIsReadForTheNextConnection() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    AppenderSettings settings = new AppenderSettings();
    settings.set(AppenderSetting.TARGETS, "log1");
    settings.set(AppenderSetting.TOKEN_FILE, file.toString());
    ForwarderOptions.To to = settings.options().to();
    String next = TOKEN.substring(0, TOKEN.length() - 1) + '_';
    Files.writeString(file, next);
    assertThat(to.currentToken()).isEqualTo(next);
    Files.writeString(file, "no token at all");
    assertThat(to.currentToken()).isEqualTo(TOKEN);
    Files.delete(file);
    assertThat(to.currentToken()).isEqualTo(TOKEN);
  }

  @Test
  void appendersTakeItFromTheirSettingsOrAFile() throws IOException {
    AppenderSettings settings = new AppenderSettings();
    settings.set(AppenderSetting.TARGETS, "log1");
    settings.set(AppenderSetting.TOKEN, TOKEN);
    assertThat(settings.options().to().token()).isEqualTo(TOKEN);
    assertThat(settings.options().toString()).doesNotContain(TOKEN);
    settings.set(AppenderSetting.TOKEN_FILE, "some file");
    assertThatThrownBy(settings::options).hasMessageContaining("token or tokenFile, found both");
    settings.set(AppenderSetting.TOKEN, null);
    assertThatThrownBy(settings::options)
        .hasMessage("some file: expected a file with a token, found none");
    settings.set(AppenderSetting.TOKEN_FILE, folder.toString());
    assertThatThrownBy(settings::options)
        .hasMessageStartingWith(folder + ": cannot read the token: ");
    settings.set(
        AppenderSetting.TOKEN_FILE,
        Files.writeString(folder.resolve("token"), TOKEN + "\n").toString());
    assertThat(settings.options().to().token()).isEqualTo(TOKEN);
    settings.set(
        AppenderSetting.TOKEN_FILE, Files.writeString(folder.resolve("none"), " \n").toString());
    assertThatThrownBy(settings::options).hasMessageContaining("found an empty file");
  }
}
