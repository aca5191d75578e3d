package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packed files are no lines, whatever they are named. */
final class PackedFilesTest {
  @TempDir private Path folder;

  @Test
  void areSaidOnceAndCountedAndOthersGoOn() throws IOException {
    for (String name : new String[] {"a.log", "b.log.gz"}) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
        out.write("packed\n".repeat(100_000).getBytes(UTF_8));
      }
    }
    Files.writeString(folder.resolve("c.log"), "line\n");
    try (var follow = new FollowFixture(folder.resolve("cp"), folder.resolve("*.{log,gz}"))) {
      assertThat(follow.read()).containsExactly("c line");
      assertThat(follow.read()).isEmpty();
      assertThat(follow.said).filteredOn(line -> line.contains("packed files")).hasSize(2);
      assertThat(follow.counters.json()).contains("\"files_packed\":2");
      assertThat(follow.counters.hasErrors()).isFalse();
      assertThat(follow.finder.followed()).allMatch(FollowedFile::isRead);
    }
  }
}
