package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.FaultyFilesystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskProbeTest {
  @TempDir private Path data;

  @Test
  void aDiskThatFailsWhileNobodySendsIsNoticedAndItsRecoveryToo() throws IOException {
    var dead = new AtomicBoolean();
    var status = new NodeStatus();
    status.ready();
    try (var probe = new DiskProbe(data, new FaultyFilesystem((_, _) -> dead.get()))) {
      status.add(probe);
      probe.look();
      assertThat(status.health().ready()).isTrue();
      dead.set(true);
      probe.look();
      assertThat(status.health().ready()).isFalse();
      assertThat(status.health().reason()).contains("probe: the disk fails: ");
      dead.set(false);
      probe.look();
      assertThat(status.health().ready()).isTrue();
    }
  }
}
