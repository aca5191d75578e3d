package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.file.ReadableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node remembers of its cluster is all of it, or is said not to be. */
final class MembersFileTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final ClusterView.Listed SELF = listed("a", "h:9");
  private static final ClusterView.Listed MEMBER = listed("c", "h:2");
  private static final DepartedNode GONE =
      new DepartedNode(node("b", Role.STORE), "h:1", Instant.EPOCH, true);
  private static final DepartedNode LEARNED =
      new DepartedNode(node("d", Role.INGEST), "h:4", NOON, false, Instant.EPOCH);

  @TempDir private Path folder;
  private Path file;
  private byte[] whole;

  private static ClusterView.Listed listed(String id, String address) {
    return listed(address, node(id, Role.INGEST));
  }

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("members");
    write(new Memory.Written(MemberHistory.WHOLE, true, List.of()));
    whole = Files.readAllBytes(file);
  }

  private void write(Memory.Written memory) throws IOException {
    new MembersFile(file)
        .write(memory, SELF, List.of(MEMBER), List.of(GONE, LEARNED), List.of("s:1", "t:1"));
  }

  private SavedMembers read() throws IOException {
    return new MembersFile(file).read(NOON);
  }

  @Test
  void whatIsWrittenIsReadAndAMemberOfThatTimeIsGoneAndHadItsRolesWhenItCame() throws IOException {
    SavedMembers read = read();
    assertThat(read.past()).isEqualTo(MemberHistory.WHOLE);
    assertThat(read.introduced()).isEqualTo("a");
    assertThat(read.departed())
        .containsExactly(
            new DepartedNode(node("c", Role.INGEST), "h:2", NOON, false, Instant.EPOCH),
            GONE,
            LEARNED);
    assertThat(read.ownAddresses()).containsExactly("h:9");
    assertThat(read.metPeers()).containsExactlyInAnyOrder("s:1", "t:1");
  }

  @Test
  void whatAnotherSaysOfItselfIsWrittenUnlessItIsItsLoad() throws IOException {
    var members = new MembersFile(file);
    String before = writeAlone(members, SELF, MEMBER);
    NodeInfo said = node("c", Role.INGEST);
    NodeInfo busy = said.withLoad(new NodeLoad(7, 8, 9, 10, 11));
    assertThat(writeAlone(members, SELF, listed("h:2", busy))).isEqualTo(before);
    NodeInfo proven = said.withLoad(busy.load().withStored(11, 12, Partners.UNKNOWN));
    assertThat(writeAlone(members, SELF, listed("h:2", proven))).isNotEqualTo(before);
    assertThat(writeAlone(members, SELF, listed("h:2", said))).isEqualTo(before);
    assertThat(writeAlone(members, SELF, listed("h:2", node("c", Role.STORE))))
        .isNotEqualTo(before);
    assertThat(writeAlone(members, listed("a", "h:8"), MEMBER)).contains("\th:8\t");
  }

  private static ClusterView.Listed listed(String address, NodeInfo node) {
    return new ClusterView.Listed(address, ClusterView.State.ALIVE, Instant.EPOCH, node);
  }

  private String writeAlone(MembersFile members, ClusterView.Listed self, ClusterView.Listed member)
      throws IOException {
    var memory = new Memory.Written(MemberHistory.WHOLE, true, List.of());
    assertThat(members.write(memory, self, List.of(member), List.of(), List.of())).isTrue();
    return Files.readString(file);
  }

  @Test
  void whoCameByAClockThatWasAheadHadItsRolesWhenItIsReadAtTheLatest() throws IOException {
    Instant before = Instant.EPOCH.minusSeconds(1);
    assertThat(new MembersFile(file).read(before).departed())
        .contains(new DepartedNode(node("c", Role.INGEST), "h:2", before, false, before));
  }

  @Test
  void aPastThatIsLostStaysLostAndAFreshOneFresh() throws IOException {
    write(new Memory.Written(MemberHistory.LOST, false, List.of()));
    assertThat(read().past()).isEqualTo(MemberHistory.LOST);
    assertThat(read().introduced()).isEmpty();
    assertThat(doubtOf(read())).contains("memory of its cluster is lost");
    MembersFile.begin(file, Filesystem.real());
    assertThat(read().past()).isEqualTo(MemberHistory.FRESH);
    assertThat(doubtOf(read())).isEmpty();
  }

  private static String doubtOf(SavedMembers remembered) {
    Memory memory = new Memory();
    memory.restore(remembered, "a");
    return memory.doubt(List.of()).orElse("");
  }

  @Test
  void everyCutIsLostWithItsPast() throws IOException {
    for (int length = 0; length < whole.length; length++) {
      isLost(Arrays.copyOf(whole, length), "cut to " + length);
    }
  }

  @Test
  void everyFlippedBitIsLostWithItsPast() throws IOException {
    for (int at = 0; at < whole.length; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << (at % 8));
      isLost(flipped, "flipped at " + at);
    }
  }

  @Test
  void linesThatAreGoneMovedOrAddedAreLostWithTheirPast() throws IOException {
    List<String> lines = new String(whole, StandardCharsets.ISO_8859_1).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      List<String> others = new java.util.ArrayList<>(lines);
      String line = others.remove(i);
      isLost(String.join("\n", others) + "\n", "without line " + i);
      others.add(line);
      if (i < lines.size() - 1) {
        isLost(String.join("\n", others) + "\n", "line " + i + " at the end");
      }
    }
    isLost(new String(whole, StandardCharsets.ISO_8859_1) + "#\n", "a comment more");
    isLost(new byte[whole.length], "zeros");
    isLost("garbage\n\0\n", "garbage");
    isLost(new byte[17 << 20], "too long");
  }

  private void isLost(String text, String how) throws IOException {
    isLost(text.getBytes(StandardCharsets.ISO_8859_1), how);
  }

  private void isLost(byte[] bytes, String how) throws IOException {
    Files.write(file, bytes);
    SavedMembers read = read();
    assertThat(read.past()).as(how).isEqualTo(MemberHistory.LOST);
    assertThat(read.departed()).as(how).isEmpty();
    assertThat(doubtOf(read)).as(how).contains(" is lost (" + file + ": ");
    assertThat(file.resolveSibling("members.damaged")).as(how).hasBinaryContent(bytes);
  }

  @Test
  void aFileThatIsMissingAFolderOrNoFileAtAllIsLostAndWrittenAgain() throws IOException {
    Files.delete(file);
    assertThat(doubtOf(read())).contains(file + ": it is missing");
    Files.createDirectory(file);
    Files.createFile(file.resolve("x"));
    assertThat(doubtOf(read())).contains("is lost").contains(file.toString());
    write(new Memory.Written(MemberHistory.LOST, false, List.of()));
    assertThat(file).isRegularFile();
    Files.delete(file);
    Files.createSymbolicLink(file, folder.resolve("nowhere"));
    assertThat(doubtOf(read())).contains("is lost");
  }

  /** To open it would wait for somebody who writes. */
  @Test
  void aPipeInItsPlaceIsLost() throws Exception {
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    assertThat(doubtOf(read())).contains("is lost").contains("found a pipe");
  }

  @Test
  void whoIsNamedInADamagedFileIsStillCalled() throws IOException {
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    SavedMembers read = read();
    assertThat(read.otherAddresses()).containsExactlyInAnyOrder("h:1", "h:2", "h:4");
    Memory memory = new Memory();
    memory.restore(read, "a");
    assertThat(memory.otherAddresses()).contains("h:2");
  }

  /** Of the version before checksums; what damage can be seen is. */
  @Test
  void theFileOfAnEarlierVersionIsReadUnlessItIsSeenToBeDamaged() throws IOException {
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    String old =
        text.substring(text.indexOf("# node")).replace("silent 1970-01-01T00:00:00Z", "silent");
    Files.writeString(file, old, StandardCharsets.ISO_8859_1);
    SavedMembers read = read();
    assertThat(read.past()).isEqualTo(MemberHistory.WHOLE);
    assertThat(read.departed()).hasSize(3);
    assertThat(read.introduced()).isEqualTo("a");
    isLost(old.substring(0, old.length() - 1), "cut in the last line");
    isLost(old.substring(0, old.indexOf('\n') + 1), "only the head");
    isLost(old.replace("h:2\t", "h:2 "), "a damaged line");
    isLost(old.replace("\nc\t", "\nd\t"), "a line with another name");
  }

  @Test
  void linesOfALaterVersionAreKeptAndADoubtUntilTheNodeIsMet() throws IOException {
    byte[] later = NodeInfoCodec.encode(node("z", Role.INGEST));
    later[0] = 99;
    String line = "z\th:7\t" + NOON + "\tmember\t" + Base64.getEncoder().encodeToString(later);
    write(new Memory.Written(MemberHistory.WHOLE, true, List.of(line)));
    SavedMembers read = read();
    assertThat(read.past()).isEqualTo(MemberHistory.WHOLE);
    assertThat(read.departed()).hasSize(3);
    Memory memory = new Memory();
    memory.restore(read, "a");
    assertThat(memory.doubt(List.of()))
        .hasValueSatisfying(why -> assertThat(why).contains("1 node"));
    assertThat(memory.written().unreadable()).containsExactly(line);
    assertThat(memory.otherAddresses()).contains("h:7");
    assertThat(memory.past()).isEqualTo(MemberHistory.LOST);
    memory.known(List.of("y"));
    assertThat(memory.written().unreadable()).hasSize(1);
    memory.known(List.of("z"));
    assertThat(memory.written().unreadable()).isEmpty();
    assertThat(memory.doubt(List.of())).isEmpty();
    assertThat(memory.past()).isEqualTo(MemberHistory.WHOLE);
  }

  /** It may be whole: whoever may read it again starts the node then. */
  @Test
  void oneThatIsClosedToThisProcessStaysAndIsNotTakenForLost() {
    var closed =
        new PassThroughFilesystem() {
          @Override
          public ReadableFile open(Path path) throws IOException {
            throw new AccessDeniedException(path.toString());
          }
        };
    assertThatThrownBy(() -> new MembersFile(file, closed).read(NOON))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage(file.toString());
    assertThat(file).hasBinaryContent(whole);
  }

  @Test
  void oneOfABackupThatNamesOthersIsInDoubtAndKeepsThem() throws IOException {
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    String old = text.substring(text.indexOf("# node"));
    for (String written : List.of(text, old)) {
      Files.writeString(file, MembersFile.restored(written), StandardCharsets.ISO_8859_1);
      assertThat(doubtOf(read())).contains("is lost").contains("restored from a backup");
      assertThat(read().departed()).hasSize(3);
      assertThat(read().introduced()).isEqualTo("a");
    }
  }

  @Test
  void oneOfABackupThatNamesNobodyOrIsDamagedIsAsItWas() throws IOException {
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    new MembersFile(file)
        .write(
            new Memory.Written(MemberHistory.WHOLE, true, List.of()),
            SELF,
            List.of(),
            List.of(),
            List.of());
    String alone = Files.readString(file);
    MembersFile.begin(file, Filesystem.real());
    for (String each :
        List.of(alone, Files.readString(file), text.substring(1), text + "#", "garbage", "")) {
      assertThat(MembersFile.restored(each)).isEqualTo(each);
    }
  }

  @Test
  void whatIsSaidToBeOnTheDiskIsThereAfterALossOfPowerAtAnyMoment() throws IOException {
    var disk = new CrashingFilesystem();
    Path members = Files.createDirectory(folder.resolve("disk")).resolve("members");
    MembersFile.begin(members, disk);
    int begun = disk.point();
    var written = new MembersFile(members, disk);
    assertThat(
            written.write(
                new Memory.Written(MemberHistory.WHOLE, true, List.of()),
                SELF,
                List.of(MEMBER),
                List.of(),
                List.of()))
        .isTrue();
    int end = disk.point();
    var loss = new PowerLoss(disk, begun);
    for (int point = begun; point <= end; point++) {
      loss.goOnTo(point);
      for (PowerLoss.Survival survival : PowerLoss.Survival.values()) {
        var state = loss.state(survival, new SplittableRandom(point));
        assertThat(state).as("%s at %d", survival, point).containsKey(members);
        Files.write(file, requireNonNull(state.get(members)).array());
        SavedMembers read = read();
        boolean knows =
            read.departed().stream().anyMatch(node -> node.gossipAddress().equals("h:2"));
        assertThat(read.past())
            .isIn(
                point == end
                    ? Set.of(MemberHistory.WHOLE)
                    : Set.of(MemberHistory.FRESH, MemberHistory.WHOLE));
        assertThat(knows)
            .as("%s at %d", survival, point)
            .isEqualTo(read.past() == MemberHistory.WHOLE);
      }
    }
  }
}
