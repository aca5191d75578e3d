package io.cordwood.common.deletion;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.file.PowerLoss.Survival;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node knows to be deleted is on its disk, or it says that it may have lost some. */
final class DeletionsTest {
  private static final List<Tombstone> SOME =
      IntStream.range(0, 3).mapToObj(i -> RandomTombstones.of(i, "shop")).toList();

  @TempDir private Path data;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Path file;
  private Path aside;

  @BeforeEach
  void name() {
    file = data.resolve("deletions");
    aside = data.resolve("deletions.damaged");
  }

  private Deletions open() throws IOException {
    return open(data, Filesystem.real());
  }

  private Deletions open(Path folder, Filesystem disk) throws IOException {
    return Deletions.open(folder, disk, meters);
  }

  private byte[] written() throws IOException {
    open().learn(SOME);
    return Files.readAllBytes(file);
  }

  private void isLost(byte[] bytes, String how) throws IOException {
    Files.write(file, bytes);
    Deletions read = open();
    assertThat(read.areLost()).as(how).isTrue();
    assertThat(SOME).as(how).containsAll(read.known().all());
    assertThat(aside).as(how).hasBinaryContent(bytes);
    assertThat(open().areLost()).as("after a restart, too").isTrue();
  }

  @Test
  void aNodeKnowsNoneAtFirstAndAfterARestartWhatItKnew() throws IOException {
    Deletions first = open();
    assertThat(first.known()).isEqualTo(Tombstones.NONE);
    assertThat(first.areLost()).isFalse();
    first.ask(SOME.get(0));
    first.learn(SOME);
    Deletions second = open();
    assertThat(second.known().all()).containsExactlyInAnyOrderElementsOf(SOME);
    assertThat(second.areLost()).isFalse();
    assertThat(aside).doesNotExist();
  }

  @Test
  void everyCutAndEveryFlippedBitIsSaidAndTakesNoMoreThanItsLine() throws IOException {
    byte[] whole = written();
    for (int at = 0; at < whole.length; at += 1 + at % 3) {
      isLost(Arrays.copyOf(whole, at), "cut to " + at);
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << (at % 7));
      isLost(flipped, "flipped at " + at);
      assertThat(open().known().size()).as("flipped at %d", at).isGreaterThanOrEqualTo(1);
    }
  }

  @Test
  void whatIsNoSuchFileIsSetAside() throws IOException {
    String text = new String(written(), ISO_8859_1);
    isLost(new byte[0], "empty");
    isLost(new byte[text.length()], "zeros");
    isLost("garbage\n\0\n".getBytes(ISO_8859_1), "garbage");
    isLost((text + "#\n").getBytes(ISO_8859_1), "a line more");
    String another = text.replace("# deletions 1", "# deletions 2");
    isLost(another.getBytes(ISO_8859_1), "of another version");
    assertThat(open().known().all()).as("what it knows").containsExactlyInAnyOrderElementsOf(SOME);
  }

  @Test
  void aFolderOrAPipeInItsPlaceIsSetAside() throws Exception {
    Files.createDirectory(file);
    Files.createFile(file.resolve("x"));
    assertThat(open().areLost()).isTrue();
    assertThat(aside).isDirectory();
    Files.delete(file);
    Files.delete(aside.resolve("x"));
    Files.delete(aside);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    Deletions read = open();
    assertThat(read.areLost()).isTrue();
    read.learn(SOME);
    assertThat(open().known().size()).isEqualTo(SOME.size());
  }

  @Test
  void aNodeThatEndedBeforeItWroteAgainWhatItSetAsideStillSaysSo() throws IOException {
    byte[] whole = written();
    Files.delete(file);
    Files.write(aside, Arrays.copyOf(whole, whole.length - 1));
    Deletions read = open();
    assertThat(read.areLost()).isTrue();
    assertThat(read.known().size()).isEqualTo(SOME.size());
  }

  @Test
  void whatWasLostIsBackOnceANodeThatLostNoneHasToldAll() throws IOException {
    Path other = Files.createDirectory(data.resolve("other"));
    Deletions whole = open(other, Filesystem.real());
    whole.learn(SOME);
    Files.writeString(file, "garbage");
    Deletions lost = open();
    lost.learn(SOME);
    assertThat(lost.areLost()).as("some, but perhaps not all").isTrue();
    Deletions alsoLost = open(data, Filesystem.real());
    lost.learn(alsoLost.text());
    assertThat(lost.areLost()).as("that one lost some, too").isTrue();
    lost.learn(whole.text());
    assertThat(lost.areLost()).isFalse();
    assertThat(open().areLost()).isFalse();
    assertThat(open().known()).isEqualTo(whole.known());
  }

  @Test
  void aTextThatWasDamagedOnTheWayAddsNothing() throws IOException {
    String text = new String(written(), ISO_8859_1);
    Deletions other = open(Files.createDirectory(data.resolve("other")), Filesystem.real());
    for (String damaged : List.of("", "garbage", text.substring(1), text.replace("shop", "shap"))) {
      assertThatThrownBy(() -> other.learn(damaged))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("expected a set of deletions");
    }
    assertThat(other.known()).isEqualTo(Tombstones.NONE);
  }

  @Test
  void whatIsRefusedIsCounted() throws IOException {
    Deletions deletions = open();
    deletions.ask(SOME.get(0));
    assertThatThrownBy(() -> deletions.ask(RandomTombstones.of(0, "audit")))
        .isInstanceOf(RefusedTombstoneException.class);
    assertThat(
            meters.get("cordwood.deletions.refused").tag("reason", "different").counter().count())
        .isEqualTo(1);
    assertThat(meters.get("cordwood.deletions").gauge().value()).isEqualTo(1);
  }

  /** Whoever adds is told; and what is known is what a restart would know. */
  @Test
  void aDiskThatFailsAtAnyCallLeavesWhatWasKnown() throws IOException {
    for (int failing = 0; failing < 6; failing++) {
      Path folder = Files.createDirectory(data.resolve("failing" + failing));
      open(folder, Filesystem.real()).ask(SOME.get(0));
      int call = failing;
      var disk = new FaultyFilesystem((kind, number) -> kind != Call.OPEN && number > call + 1);
      Deletions deletions = open(folder, disk);
      try {
        deletions.ask(SOME.get(1));
        assertThat(deletions.known().size()).isEqualTo(2);
      } catch (IOException e) {
        assertThat(deletions.known().all()).containsExactly(SOME.get(0));
      }
      assertThat(open(folder, Filesystem.real()).known().all()).contains(SOME.get(0));
    }
  }

  @Test
  void aLossOfPowerAtAnyMomentTakesNothingThatWasSaidToBeKnown() throws IOException {
    var disk = new CrashingFilesystem();
    Deletions deletions = open(data, disk);
    List<Integer> knownAt = new ArrayList<>();
    for (Tombstone each : SOME) {
      deletions.ask(each);
      knownAt.add(disk.point());
    }
    for (int point = 0; point <= disk.point(); point++) {
      int now = point;
      long least = knownAt.stream().filter(at -> at <= now).count();
      for (Survival survival : Survival.values()) {
        Path left = after(new PowerLoss(disk, point), survival, point);
        Deletions found = open(left, Filesystem.real());
        assertThat(found.areLost()).as("%s at %d", survival, point).isFalse();
        assertThat(found.known().all())
            .as("%s at %d", survival, point)
            .containsAll(SOME.subList(0, (int) least))
            .hasSizeLessThanOrEqualTo((int) Math.min(least + 1, SOME.size()));
      }
    }
  }

  private Path after(PowerLoss loss, Survival survival, int point) throws IOException {
    Path left = Files.createTempDirectory(data, "left");
    for (var found : loss.state(survival, new SplittableRandom(point)).entrySet()) {
      Files.write(left.resolve(found.getKey().getFileName()), found.getValue().array());
    }
    return left;
  }
}
