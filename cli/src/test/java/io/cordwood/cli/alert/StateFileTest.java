package io.cordwood.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.alert.RuleState.Kept;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a watch on disk, whole and damaged. */
final class StateFileTest {
  @TempDir private Path folder;

  private final List<String> said = new ArrayList<>();

  private static RuleState state() {
    var timing =
        new Rule.Timing(
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofHours(4),
            Duration.ZERO);
    var rule =
        new Rule(
            "größe",
            List.of(),
            List.of("x"),
            Condition.ABSENT,
            timing,
            Map.of(),
            Map.of(),
            "http://n/?");
    var target = new CommandTarget("true", Duration.ZERO, "", new Semaphore(1));
    var room = new Semaphore(Watch.MAX_ALERT_BYTES);
    var state = new RuleState(rule, List.of(target), Kept.NOTHING, room, new WatchCounters());
    Map<Map<String, String>, Long> groups = Map.of(Map.of("x", "\"ü\n,"), 1L, Map.of(), 2L);
    state.take(Instant.parse("2026-11-27T10:00:00Z"), new Counted(groups, 0, Optional.empty()));
    return state;
  }

  private Path file() {
    return folder.resolve("state");
  }

  private Map<String, Kept> read() throws IOException {
    try (StateFile state = StateFile.open(file())) {
      return state.read(said::add);
    }
  }

  private void write() throws IOException {
    try (StateFile state = StateFile.open(file())) {
      state.write(List.of(state()));
    }
  }

  @Test
  void itIsReadAsItWasWritten() throws IOException {
    assertThat(read()).isEmpty();
    write();
    assertThat(read()).containsOnly(Map.entry("größe", state().kept()));
    assertThat(said).isEmpty();
  }

  /** Each byte in turn, and each length. */
  @Test
  void damageIsSaidAndSetAsideAndAllBeginsAnew() throws IOException {
    write();
    byte[] whole = Files.readAllBytes(file());
    for (int at = 0; at < whole.length; at += 7) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      assertDamaged(damaged);
      assertDamaged(Arrays.copyOf(whole, at));
    }
    assertDamaged("nonsense".getBytes(StandardCharsets.UTF_8));
  }

  private void assertDamaged(byte[] bytes) throws IOException {
    said.clear();
    Files.write(file(), bytes);
    try {
      assertThat(read()).isEmpty();
      assertThat(said).singleElement().asString().startsWith(file() + ": expected ");
      assertThat(Path.of(file() + ".damaged")).hasBinaryContent(bytes);
      assertThat(file()).doesNotExist();
    } catch (IOException e) { // The version is what is damaged.
      assertThat(e).hasMessageContaining("expected version 1 of the state, found version ");
      assertThat(file()).hasBinaryContent(bytes);
    }
  }

  @Test
  void aLaterVersionIsLeftAlone() throws IOException {
    Files.writeString(file(), "cordwood-watch-state 2 other\n");
    assertThatThrownBy(this::read)
        .hasMessageContaining("expected version 1 of the state, found version 2");
    assertThat(file()).exists();
  }

  @Test
  void aFolderIsNone() {
    assertThatThrownBy(() -> StateFile.open(folder))
        .hasMessage(folder + ": expected a file of state, found a folder");
  }
}
