package io.cordwood.common.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.PowerLoss.Survival;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model of a loss of power takes away what it may, and leaves what it must. */
final class PowerLossModelTest {
  private static final SplittableRandom RANDOM = new SplittableRandom(1);

  @TempDir private Path folder;
  private final CrashingFilesystem disk = new CrashingFilesystem();

  /**
   * Forced "abc" and an unforced "def" in one file, whose name was forced as "a" and is now "b".
   */
  @BeforeEach
  void change() throws IOException {
    try (WritableFile file = disk.create(folder.resolve("a"))) {
      write(file, "abc");
      file.force();
      disk.forceFolder(folder);
      write(file, "def");
    }
    disk.rename(folder.resolve("a"), folder.resolve("b"));
  }

  private static void write(WritableFile file, String text) throws IOException {
    long _ = file.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
  }

  private String after(int point, Survival survival) {
    Map<String, String> state = new TreeMap<>();
    new PowerLoss(disk, point)
        .state(survival, RANDOM)
        .forEach((path, content) ->
            state.put(path.getFileName().toString(), US_ASCII.decode(content.slice()).toString()));
    return state.toString();
  }

  private String after(Survival survival) {
    return after(disk.point(), survival);
  }

  @Test
  void whatWasNotForcedIsLostOrKeptAsTheSurvivalSays() {
    assertThat(after(Survival.NOTHING)).isEqualTo("{a=abc}");
    assertThat(after(Survival.NAMES)).isEqualTo("{b=abc}");
    assertThat(after(Survival.NAMES_AND_ZEROS)).isEqualTo("{b=abc\0\0\0}");
    assertThat(after(Survival.BYTES)).isEqualTo("{a=abcdef}");
    assertThat(after(Survival.EVERYTHING)).isEqualTo("{b=abcdef}");
  }

  @Test
  void anyPartMeansEveryPart() {
    Set<String> states = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      states.add(after(Survival.ANY_PART));
    }
    for (String name : new String[] {"a", "b"}) {
      assertThat(states)
          .contains("{" + name + "=abc}", "{" + name + "=abcdef}", "{" + name + "=abcd\0\0}");
    }
    assertThat(states).allMatch(state -> state.matches("\\{[ab]=abc(|def|de\0|d\0\0|\0\0\0)}"));
  }

  @Test
  void whatWasForcedIsNeverLost() throws IOException {
    disk.forceFolder(folder);
    for (int i = 0; i < 100; i++) {
      assertThat(after(Survival.ANY_PART)).startsWith("{b=abc");
    }
    disk.delete(folder.resolve("b"));
    assertThat(after(Survival.NOTHING)).isEqualTo("{b=abc}");
    disk.forceFolder(folder);
    assertThat(after(Survival.NOTHING)).isEqualTo("{}");
  }

  @Test
  void forcedFileWithoutAForcedFolderHasNoName() {
    assertThat(after(3, Survival.NOTHING)).isEqualTo("{}");
    assertThat(after(3, Survival.EVERYTHING)).isEqualTo("{a=abc}");
  }

  @Test
  void overwrittenBytesMayBeTheOldOnes() throws IOException {
    disk.forceFolder(folder);
    disk.truncate(folder.resolve("b"), 3);
    try (WritableFile file = disk.overwrite(folder.resolve("b"))) {
      write(file, "xy");
      assertThat(after(Survival.NOTHING)).isEqualTo("{b=abc}");
      file.force();
    }
    assertThat(after(Survival.NOTHING)).isEqualTo("{b=xyc}");
  }
}
