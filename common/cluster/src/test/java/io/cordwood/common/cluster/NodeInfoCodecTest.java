package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.testing.Seed;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NodeInfoCodecTest {
  private static final NodeInfo NODE =
      new NodeInfo(
          "node-1",
          EnumSet.of(Role.INGEST, Role.QUERY),
          "fe80::1%eth0",
          65_535,
          3,
          new NodeLoad(Integer.MAX_VALUE, 1, 2, Long.MAX_VALUE, 4)
              .withQuarantined(5)
              .withStored(4, 6, Partners.of(List.of("store-1", "store-2"))),
          new SenderPorts(65_535, 1));
  private static final int SENDER_PORTS_BYTES = 4;
  private static final int PARTNERS_BYTES = 1 + 2 * Integer.BYTES;
  private static final int QUARANTINE_BYTES = Integer.BYTES;
  private static final int DELETIONS_BYTES = Long.BYTES;
  private static final int TELLING_BYTES = 1 + DELETIONS_BYTES;

  @Test
  void whatIsWrittenReadsBack() throws GossipFormatException {
    assertThat(NodeInfoCodec.decode(NodeInfoCodec.encode(NODE))).isEqualTo(NODE);
    assertThat(NodeInfoCodec.encode(NODE)).hasSizeLessThan(GossipInput.MAX_METADATA_BYTES);
  }

  @Test
  void descriptionsOfEarlierVersionsRead() throws GossipFormatException {
    assertThat(withoutLast(TELLING_BYTES)).isEqualTo(withoutLists(NODE));
    NodeInfo noPartners =
        withoutLists(NODE.withLoad(NODE.load().withStored(4, 6, Partners.UNKNOWN)));
    assertThat(withoutLast(TELLING_BYTES + PARTNERS_BYTES)).isEqualTo(noPartners);
    NodeInfo noQuarantine = noPartners.withLoad(noPartners.load().withQuarantined(0));
    assertThat(withoutLast(TELLING_BYTES + PARTNERS_BYTES + QUARANTINE_BYTES))
        .isEqualTo(noQuarantine);
    assertThat(withoutLast(TELLING_BYTES + PARTNERS_BYTES + QUARANTINE_BYTES + SENDER_PORTS_BYTES))
        .isEqualTo(noQuarantine.withSenderPorts(SenderPorts.NONE));
  }

  private static NodeInfo withoutLists(NodeInfo node) {
    return new NodeInfo(
        node.nodeId(),
        node.roles(),
        node.apiHost(),
        node.apiPort(),
        node.replicationFactor(),
        node.load(),
        node.senderPorts(),
        new NodeInfo.Reads(false, false, false));
  }

  @Test
  void aNodeThatReadsListsButNoLabelsIsTakenAtItsWord() throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    bytes[bytes.length - TELLING_BYTES] = 3;
    NodeInfo found = NodeInfoCodec.decode(bytes);
    assertThat(found.reads().lists()).isTrue();
    assertThat(found.reads().labels()).isFalse();
    assertThat(NodeInfoCodec.encode(found)).isEqualTo(bytes);
  }

  @Test
  void aNodeThatTellsButReadsNoListsIsTakenAtItsWord() throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    bytes[bytes.length - TELLING_BYTES] = 1;
    assertThat(NodeInfoCodec.decode(bytes)).isEqualTo(withoutLists(NODE));
    assertThat(NodeInfoCodec.encode(withoutLists(NODE))).isEqualTo(bytes);
    assertThat(NodeInfoCodec.describe(bytes).tells()).isTrue();
  }

  private static NodeInfo withoutLast(int count) throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    return NodeInfoCodec.decode(Arrays.copyOf(bytes, bytes.length - count));
  }

  @Test
  void whetherANodeTellsWhomItRemembersIsReadAndNotOfEarlierVersions()
      throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    assertThat(NodeInfoCodec.describe(bytes).tells()).isTrue();
    byte[] earlier = Arrays.copyOf(bytes, bytes.length - TELLING_BYTES);
    assertThat(NodeInfoCodec.decode(earlier)).isEqualTo(withoutLists(NODE));
    assertThat(NodeInfoCodec.describe(earlier).tells()).isFalse();
  }

  @Test
  void everyOtherTruncationIsRefused() {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    int beforeTelling = bytes.length - TELLING_BYTES;
    int ofEarlier = beforeTelling - PARTNERS_BYTES;
    for (int length = 0; length < bytes.length; length++) {
      if (length == beforeTelling
          || length == bytes.length - DELETIONS_BYTES
          || length == ofEarlier
          || length == ofEarlier - QUARANTINE_BYTES
          || length == ofEarlier - QUARANTINE_BYTES - SENDER_PORTS_BYTES) {
        continue;
      }
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> NodeInfoCodec.decode(cut)).isInstanceOf(GossipFormatException.class);
    }
  }

  @Test
  void partnersAreNeverFewerThanThereAre() throws GossipFormatException {
    List<String> many = IntStream.rangeClosed(0, Partners.MAX).mapToObj(i -> "s" + i).toList();
    for (int count : new int[] {0, 1, Partners.MAX, Partners.MAX + 1}) {
      List<String> some = many.subList(0, count);
      NodeInfo node = NODE.withLoad(NODE.load().withStored(4, 6, Partners.of(some)));
      byte[] bytes = NodeInfoCodec.encode(node);
      assertThat(bytes).hasSizeLessThan(GossipInput.MAX_METADATA_BYTES);
      Partners read = NodeInfoCodec.decode(bytes).load().partners();
      assertThat(some).allMatch(read::mayHave);
      assertThat(read.mayHave("another")).isEqualTo(count > Partners.MAX);
    }
    assertThat(Partners.UNKNOWN.mayHave("another")).isTrue();
  }

  @Test
  void damageReadsOrIsRefusedButNeverAnythingElse() {
    long seed = Seed.of(NodeInfoCodecTest.class);
    Random random = new Random(seed);
    byte[] bytes = NodeInfoCodec.encode(NODE);
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        assertThat(NodeInfoCodec.decode(damaged).nodeId()).as("seed %d", seed).isNotEmpty();
      } catch (GossipFormatException e) {
        assertThat(e).as("seed %d", seed).hasMessageStartingWith("not a node's metadata: ");
      }
    }
  }

  @Test
  void descriptionOfAnotherVersionIsRefusedAsThat() {
    byte[] old = NodeInfoCodec.encode(NODE);
    old[0] = 1;
    assertThatThrownBy(() -> NodeInfoCodec.decode(old))
        .hasMessage("not a node's metadata: expected version 3, found 1")
        .extracting(e -> ((GossipFormatException) e).reason())
        .isEqualTo(GossipFormatException.Reason.VERSION);
  }

  @Test
  void rolesAndFieldsOfALaterVersionAreIgnored() throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    byte[] later = Arrays.copyOf(bytes, bytes.length + 10);
    later[8] |= (byte) 0x80; // version, length, six characters, then the roles
    assertThat(NodeInfoCodec.decode(later)).isEqualTo(NODE);
    assertThat(NodeInfoCodec.describe(later).tells()).isTrue();
  }

  @Test
  void nodeOutOfBoundsCannotBeMade() {
    refuses(() -> new NodeInfo("", Set.of(Role.STORE), "a", 1, 0, NodeLoad.NONE));
    refuses(() -> new NodeInfo("a b", Set.of(Role.STORE), "a", 1, 0, NodeLoad.NONE));
    refuses(() -> new NodeInfo("a".repeat(65), Set.of(Role.STORE), "a", 1, 0, NodeLoad.NONE));
    refuses(() -> new NodeInfo("a", Set.of(Role.STORE), "a/b", 1, 0, NodeLoad.NONE));
    refuses(() -> new NodeInfo("a", Set.of(Role.STORE), "a", 0, 0, NodeLoad.NONE));
    refuses(() -> new NodeInfo("a", Set.of(Role.STORE), "a", 1, 256, NodeLoad.NONE));
    refuses(() -> new SenderPorts(1, 0));
    refuses(() -> new SenderPorts(1, 65_536));
    refuses(() -> new NodeLoad(0, 0, -1, 0, 0));
    refuses(() -> new NodeLoad(0, 0, 0, 0, -1));
  }

  private static void refuses(Runnable make) {
    assertThatThrownBy(make::run).isInstanceOf(IllegalArgumentException.class);
  }
}
