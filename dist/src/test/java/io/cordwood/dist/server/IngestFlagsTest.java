package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ReadFlags;
import io.cordwood.common.cluster.SenderPorts;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ports that senders are told, where those of the node are published under other numbers. */
final class IngestFlagsTest {
  private static final SenderPorts LISTENING = new SenderPorts(7651, 7652);

  private static IngestFlags flags(String... arguments) {
    return ReadFlags.into(new IngestFlags(), arguments);
  }

  @Test
  void sendersAreToldThePortsThatArePublished() {
    assertThat(flags().advertised(LISTENING)).isEqualTo(LISTENING);
    assertThat(flags("--advertise-fast-port=17651").advertised(LISTENING))
        .isEqualTo(new SenderPorts(17651, 7652));
    assertThat(flags("--advertise-durable-port=17652").advertised(LISTENING))
        .isEqualTo(new SenderPorts(7651, 17652));
  }

  @ParameterizedTest
  @CsvSource({"--advertise-fast-port,0", "--advertise-durable-port,65536"})
  void portThatCannotBeOneIsRefused(String flag, String port) {
    IngestFlags flags = flags(flag + "=" + port);
    assertThatThrownBy(() -> flags.options(Path.of("data"), "127.0.0.1", Optional.empty()))
        .isInstanceOf(CommandException.class)
        .hasMessage(flag + ": expected a port from 1 to 65535, found " + port);
  }
}
