package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NodeInfoCodecTest {
  private static final NodeInfo NODE =
      new NodeInfo(
          "node-1",
          EnumSet.of(Role.INGEST, Role.QUERY),
          "fe80::1%eth0",
          65_535,
          3,
          new NodeLoad(Integer.MAX_VALUE, 1, 2, Long.MAX_VALUE, 4).withQuarantined(5),
          new SenderPorts(65_535, 1));
  private static final int SENDER_PORTS_BYTES = 4;

  @Test
  void whatIsWrittenReadsBack() throws GossipFormatException {
    assertThat(NodeInfoCodec.decode(NodeInfoCodec.encode(NODE))).isEqualTo(NODE);
    assertThat(NodeInfoCodec.encode(NODE)).hasSizeLessThan(GossipInput.MAX_METADATA_BYTES);
  }

  @Test
  void descriptionOfANodeThatKnowsNoQuarantineReads() throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    NodeInfo older = NodeInfoCodec.decode(Arrays.copyOf(bytes, bytes.length - Integer.BYTES));
    assertThat(older).isEqualTo(NODE.withLoad(NODE.load().withQuarantined(0)));
  }

  @Test
  void everyOtherTruncationIsRefused() {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    for (int length = 0; length < bytes.length; length++) {
      if (length == bytes.length - Integer.BYTES
          || length == bytes.length - Integer.BYTES - SENDER_PORTS_BYTES) {
        continue; // As earlier versions have it.
      }
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> NodeInfoCodec.decode(cut)).isInstanceOf(GossipFormatException.class);
    }
  }

  @Test
  void descriptionOfAnEarlierVersionHasNoSenderPorts() throws GossipFormatException {
    byte[] bytes = NodeInfoCodec.encode(NODE);
    byte[] earlier = Arrays.copyOf(bytes, bytes.length - Integer.BYTES - SENDER_PORTS_BYTES);
    assertThat(NodeInfoCodec.decode(earlier))
        .isEqualTo(NODE.withLoad(NODE.load().withQuarantined(0)).withSenderPorts(SenderPorts.NONE));
  }

  @Test
  void damageReadsOrIsRefusedButNeverAnythingElse() {
    long seed = System.nanoTime();
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
