package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointTest {
  private static final FileStat.Key KEY = new FileStat.Key(7, 99);
  private static final Content.Head HEAD = new Content.Head(12, 34);

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();

  private Path file() {
    return folder.resolve("checkpoint");
  }

  private Checkpoint open() throws IOException {
    return Checkpoint.open(file(), said::add);
  }

  private static FileState add(Checkpoint checkpoint, String name) {
    var cut = new FileState.Cut("topic", Multiline.parse("^a b%"), LineFormat.cri);
    FileState state = checkpoint.add(KEY, Path.of(name), HEAD, cut);
    checkpoint.describe(state, true);
    return state;
  }

  private static void plan(Checkpoint checkpoint, FileState state, int length) {
    long from = state.position();
    long to = from + length;
    checkpoint.plan(
        state, new PlannedBatch(from, to, state.next(), 3, length, -length, state.labels));
  }

  /** Two files, with plans that have arrived and such that have not. */
  private void writeSome() throws IOException {
    try (Checkpoint checkpoint = open()) {
      FileState a = add(checkpoint, "/logs/with blank\nand line feed.log");
      FileState b = add(checkpoint, "/logs/b.log");
      for (int i = 1; i <= 4; i++) {
        plan(checkpoint, a, 100 * i);
        plan(checkpoint, b, 10 * i);
        checkpoint.save();
      }
      checkpoint.arrive(a, 300);
      checkpoint.save();
    }
  }

  @Test
  void whatWasSavedIsThereAgain() throws IOException {
    writeSome();
    for (int i = 0; i < 2; i++) { // as it was appended, and as it is written anew at each start
      try (Checkpoint checkpoint = open()) {
        List<FileState> states = List.copyOf(checkpoint.states());
        assertThat(states).hasSize(2);
        FileState a = states.getFirst();
        assertThat(a.path.toString()).isEqualTo("/logs/with blank\nand line feed.log");
        assertThat(a.multiline.spec()).isEqualTo("^a b%");
        assertThat(a.key).isEqualTo(KEY);
        assertThat(a.head).isEqualTo(HEAD);
        assertThat(a.arrived()).isEqualTo(300);
        assertThat(a.arrivedTail()).isEqualTo(-200);
        assertThat(a.position()).isEqualTo(1000);
        assertThat(a.planned()).hasSize(2);
        assertThat(states.getLast().planned()).hasSize(4);
        PlannedBatch last = List.copyOf(a.planned()).getLast();
        assertThat(a.next()).isEqualTo(last.stamp().after(3));
      }
    }
    assertThat(said).isEmpty();
  }

  /** A batch that is sent again is the same batch, also when what is read from now on is other. */
  @Test
  void plansKeepTheLabelsThatTheyHadWhenTheyWereMade() throws IOException {
    Labels before = Labels.of(Map.of("host", "a", "app", "größe x%\r\u2028"));
    Labels after = Labels.of(Map.of("host", "b"));
    try (Checkpoint checkpoint = open()) {
      FileState state = add(checkpoint, "/logs/a.log");
      plan(checkpoint, state, 10);
      for (Labels labels : List.of(before, after)) {
        state.labels = labels;
        checkpoint.describe(state, false);
        plan(checkpoint, state, 10);
        plan(checkpoint, state, 10);
      }
      state.labels = Labels.NONE;
      checkpoint.describe(state, false);
      checkpoint.save();
    }
    for (int i = 0; i < 2; i++) { // as it was appended, and as it is written anew at each start
      try (Checkpoint checkpoint = open()) {
        FileState state = List.copyOf(checkpoint.states()).getFirst();
        assertThat(state.planned())
            .extracting(PlannedBatch::labels)
            .containsExactly(Labels.NONE, before, before, after, after);
        assertThat(state.labels).isEqualTo(Labels.NONE);
      }
    }
    assertThat(said).isEmpty();
  }

  /** More than is kept to be appended: all is written anew instead. */
  @Test
  void manyFilesThatAreFoundAtOnceAreThereAgain() throws IOException {
    int files = 20_000;
    try (Checkpoint checkpoint = open()) {
      for (int i = 0; i < files; i++) {
        plan(checkpoint, add(checkpoint, "/logs/" + "x".repeat(60) + i), 100);
      }
      checkpoint.save();
      assertThat(checkpoint.hasUnsaved()).isFalse();
    }
    try (Checkpoint checkpoint = open()) {
      assertThat(checkpoint.states()).hasSize(files).allMatch(file -> file.planned().size() == 1);
    }
    assertThat(said).isEmpty();
  }

  /** More than the room of the file, and less than what has all written anew anyway. */
  @Test
  void newFileThatCannotTakeTheNameOfTheOldOneIsTriedAgain() throws IOException {
    int files = 5000;
    try (Checkpoint checkpoint = open()) {
      for (int i = 0; i < files; i++) {
        plan(checkpoint, add(checkpoint, "/logs/" + "x".repeat(60) + i), 100);
      }
      Files.delete(file());
      Path inTheWay = Files.createDirectories(file().resolve("in-the-way"));
      assertThatThrownBy(checkpoint::save).isInstanceOf(IOException.class);
      Files.delete(inTheWay);
      Files.delete(file());
      checkpoint.save();
    }
    try (Checkpoint checkpoint = open()) {
      assertThat(checkpoint.states()).hasSize(files);
    }
  }

  /** A cut loses plans and acknowledgements, and never makes any up, or stamps twice. */
  @Test
  void checkpointThatIsCutAnywhereGoesOnFromASafePoint() throws IOException {
    writeSome();
    byte[] whole = Files.readAllBytes(file());
    int used = new String(whole, UTF_8).stripTrailing().length();
    List<PlannedBatch> planned = plansIn(whole);
    for (int length = 0; length <= used; length++) {
      said.clear();
      Map<Long, FileState> states = read(Arrays.copyOf(whole, length), "cut");
      assertThat(said).as("cut at %d", length).hasSize(1);
      for (FileState state : states.values()) {
        assertThat(state.arrived()).isIn(0L, 300L);
        assertThat(planned).containsAll(state.planned());
        assertThat(planned)
            .noneMatch(plan ->
                plan.stamp().high() << 48 == state.next().high() << 48
                    && plan.stamp().low() >>> 32 == state.next().low() >>> 32);
      }
    }
  }

  /** What was being written when the power went, behind all that was forced. */
  @Test
  void tornLastLineIsLeftOutWithoutAWord() throws IOException {
    writeSome();
    byte[] whole = Files.readAllBytes(file());
    int used = new String(whole, UTF_8).stripTrailing().length();
    for (int torn = 1; torn < 20; torn++) {
      byte[] bytes = whole.clone();
      Arrays.fill(bytes, used - torn, used, (byte) '\n');
      FileState first = read(bytes, "torn").values().iterator().next();
      assertThat(first.arrived()).isZero();
      assertThat(first.planned()).hasSize(4);
    }
    assertThat(said).isEmpty();
  }

  /** A flipped bit costs a line, whichever it is. */
  @Test
  void damagedLineIsSaidAndNothingIsPassedOver() throws IOException {
    writeSome();
    byte[] whole = Files.readAllBytes(file());
    List<PlannedBatch> planned = plansIn(whole);
    int header = new String(whole, UTF_8).indexOf('\n') + 1;
    for (int at = header; at < header + 1200; at += 7) {
      byte[] bytes = whole.clone();
      bytes[at] ^= 1;
      for (FileState state : read(bytes, "damaged").values()) {
        assertThat(state.arrived()).isIn(0L, 300L);
        assertThat(planned).containsAll(state.planned());
      }
    }
    assertThat(said).isNotEmpty().allMatch(line -> line.contains("may be there twice"));
  }

  /** It would be renamed, and its writer would not find it. */
  @Test
  void aTextOfSomethingElseIsNoCheckpointAndStays() throws IOException {
    byte[] text = "2026-11-25 10:00:00 INFO up\n2026-11-25 10:00:01 INFO on\n".getBytes(UTF_8);
    Files.write(file(), text);
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("found '2026-11-25 10:00:00 INFO up'")
        .hasMessageContaining("name a file of its own");
    assertThat(file()).hasBinaryContent(text);
    assertThat(said).isEmpty();
  }

  @Test
  void aCheckpointWhoseFirstLineIsDamagedIsSetAside() throws IOException {
    writeSome();
    byte[] bytes = Files.readAllBytes(file());
    bytes[3] ^= 1;
    assertThat(read(bytes, "damaged")).isEmpty();
    assertThat(folder.resolve("damaged.damaged")).hasBinaryContent(bytes);
    assertThat(said).singleElement().asString().contains("it is kept as ");
  }

  @Test
  void aDeviceIsNoCheckpointAndStays() throws IOException {
    Path device = Files.createSymbolicLink(file(), Path.of("/dev/null"));
    assertThatThrownBy(this::open)
        .isInstanceOf(CommandException.class)
        .hasMessage(
            "--checkpoint: %s: expected a file, found a pipe, a socket or a device", device);
    assertThat(device).isSymbolicLink();
  }

  private static List<PlannedBatch> plansIn(byte[] bytes) {
    return new String(bytes, UTF_8)
        .lines()
        .filter(line -> line.contains(" plan "))
        .map(line ->
            CheckpointLine.planned(Objects.requireNonNull(CheckpointLine.words(line)), Labels.NONE))
        .toList();
  }

  private Map<Long, FileState> read(byte[] bytes, String name) throws IOException {
    Path copy = Files.write(folder.resolve(name), bytes);
    return new CheckpointReader(copy, said::add).read();
  }

  @Test
  void checkpointGrowsNoLongerThanWhatItHolds() throws IOException {
    try (Checkpoint checkpoint = open()) {
      FileState state = add(checkpoint, "/logs/a.log");
      for (int i = 0; i < 20_000; i++) {
        plan(checkpoint, state, 10);
        checkpoint.arrive(state, state.position());
        if (i % 500 == 0) {
          checkpoint.save();
        }
      }
      checkpoint.save();
    }
    assertThat(Files.size(file())).isEqualTo(1 << 20);
    try (Checkpoint checkpoint = open()) {
      assertThat(checkpoint.states().iterator().next().arrived()).isEqualTo(200_000);
    }
  }

  @Test
  void anotherVersionIsRefusedAndAnotherUserToo() throws IOException {
    Files.writeString(file(), "cordwood-forward-checkpoint 2 whatever\n");
    assertThatThrownBy(this::open).hasMessageContaining("expected version 1, found 2");
    Files.delete(file());
    try (Checkpoint checkpoint = open()) {
      assertThat(checkpoint.isNew()).isTrue();
      assertThatThrownBy(this::open)
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("another process uses it");
    }
  }

  /** Even root cannot read it; nothing says that there are no positions. */
  @Test
  void oneThatCannotBeReadIsRefusedAndStays() throws IOException {
    Path link = Files.createSymbolicLink(file(), file());
    assertThatThrownBy(this::open)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(file().toString());
    assertThat(link).isSymbolicLink();
  }
}
