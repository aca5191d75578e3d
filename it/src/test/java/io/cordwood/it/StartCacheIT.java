package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lets {@code cordwood grep} start faster never changes what it does. */
final class StartCacheIT {
  @TempDir private Path folder;

  private Program.Result grep(String cache) throws IOException {
    Files.writeString(folder.resolve("lines"), "one line\nanother\n");
    String script = "CORDWOOD_CACHE=" + cache + " exec \"$CORDWOOD\" grep line lines";
    try (Program shell = Program.shell(folder, script)) {
      return shell.end();
    }
  }

  private static void assertUsual(Program.Result result) {
    assertThat(result.errors()).isEmpty();
    assertThat(result.text()).isEqualTo("one line\n");
    assertThat(result.exitCode()).isZero();
  }

  private List<Path> files(String suffix) throws IOException {
    Path cache = folder.resolve("cache");
    if (!Files.exists(cache)) {
      return List.of();
    }
    try (var files = Files.list(cache)) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }

  private Path awaitCache() throws IOException {
    await().until(() -> files(".aot").size() == 1 && files(".lock").isEmpty());
    return files(".aot").getFirst();
  }

  @Test
  void firstUsesMakeOneCacheThatLaterOnesMapAndABrokenOneDoesNoHarm() throws IOException {
    List<CompletableFuture<Program.Result>> atOnce =
        Stream.generate(() -> CompletableFuture.supplyAsync(this::grepFirst)).limit(3).toList();
    atOnce.forEach(result -> assertUsual(result.join()));
    Path cache = awaitCache();
    String waiting = "CORDWOOD_CACHE=cache exec \"$CORDWOOD\" grep line -";
    try (Program shell = Program.shell(folder, waiting)) {
      await().until(() -> Files.readString(shell.proc("maps")).contains(cache.toString()));
    }
    byte[] whole = Files.readAllBytes(cache);
    Files.write(cache, Arrays.copyOf(whole, whole.length / 2));
    assertUsual(grep("cache"));
    Files.writeString(cache, "no cache at all");
    assertUsual(grep("cache"));
    Files.write(cache, new byte[0]);
    assertUsual(grep("cache"));
  }

  private Program.Result grepFirst() {
    try {
      return grep("cache");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutACacheAllIsTheSame() throws IOException {
    assertUsual(grep("off"));
    assertUsual(grep("/proc/none"));
    assertThat(files("")).isEmpty();
  }
}
