package io.cordwood.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.testing.ChildJvm;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderLockTest {
  @TempDir private Path folder;

  @Test
  void aSecondLockOfThisProcessIsRefusedAndTheFirstHoldsOn() throws Exception {
    Filesystem files = Filesystem.real();
    try (Closeable first = files.lock(folder)) {
      assertThat(first).isNotNull();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> files.lock(folder))
            .isInstanceOf(FolderInUseException.class)
            .hasMessageContaining("this very process");
      }
      assertThat(isLockedForOthers()).isTrue();
    }
    assertThat(isLockedForOthers()).isFalse();
    files.lock(folder).close();
  }

  /** Asked by another process, since a lock is a process's. */
  private boolean isLockedForOthers() throws IOException, InterruptedException {
    Process other = ChildJvm.of(List.of(), Other.class, folder.resolve("LOCK").toString()).start();
    assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return other.exitValue() == 3;
  }

  /** Exits with 3 if it cannot lock a file. */
  static final class Other {
    public static void main(String[] file) throws IOException {
      try (var channel = FileChannel.open(Path.of(file[0]), StandardOpenOption.WRITE)) {
        System.exit(channel.tryLock() == null ? 3 : 0);
      }
    }
  }
}
