package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.node;
import static io.cordwood.common.cluster.Nodes.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.GossipFormatException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a stranger can send to the gossip port, and that the cluster works on. */
final class HostileBytesTest {
  private static final List<byte[]> GARBAGE =
      List.of(
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
          ByteBuffer.allocate(4).putInt(-1).array(),
          ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array(),
          ByteBuffer.allocate(4).putInt(Frame.MAX_BYTES + FrameSeal.TAG_BYTES + 1).array(),
          ByteBuffer.allocate(4).array(),
          ByteBuffer.allocate(104).putInt(100).array(),
          ByteBuffer.allocate(9).putInt(5).putInt(0xaced0005).array());

  private final Nodes nodes = new Nodes();
  private final CutCodec wire = new CutCodec();
  private final Cluster target;

  HostileBytesTest() throws IOException {
    target = nodes.start(node("target", Role.STORE), options("test", 0), wire);
  }

  @AfterEach
  void closeAll() {
    nodes.close();
  }

  @Test
  void garbageEndsItsConnectionAndIsCounted() throws IOException {
    for (byte[] garbage : GARBAGE) {
      try (Stranger stranger = new Stranger(target.port())) {
        assertThat(stranger.bytes(garbage).isRefused()).isTrue();
      }
      try (Stranger stranger = new Stranger(target.port())) {
        assertThat(stranger.introduced("test").bytes(garbage).isRefused()).isTrue();
      }
    }
    assertThat(nodes.refused(Reason.MALFORMED) + nodes.refused(Reason.VERSION))
        .isEqualTo(2 * GARBAGE.size());
    stillWorks();
  }

  @Test
  void halfAFrameAndAHangUpIsNothing() throws IOException {
    try (Stranger stranger = new Stranger(target.port())) {
      stranger.introduced("test").bytes(ByteBuffer.allocate(54).putInt(100).array());
    }
    stillWorks();
  }

  @Test
  void strangerWhoSaysNothingIsSentAway() throws IOException {
    try (Stranger silent = new Stranger(target.port());
        Stranger slow = new Stranger(target.port())) {
      slow.bytes(ByteBuffer.allocate(30).putInt(100).array());
      assertThat(silent.isRefused()).isTrue();
      assertThat(slow.isRefused()).isTrue();
    }
    assertThat(nodes.registry.counter("cordwood.cluster.connections.refused").count()).isEqualTo(2);
    stillWorks();
  }

  @Test
  void strangersBeyondTheBoundSendTheFirstOneAwayAndKeepNobodyOut() throws IOException {
    List<Stranger> strangers = new ArrayList<>();
    try {
      for (int i = 0; i <= GossipTransport.MAX_STRANGERS; i++) {
        strangers.add(new Stranger(target.port()));
      }
      assertThat(strangers.getFirst().isRefused()).isTrue();
      stillWorks();
    } finally {
      closeAll(strangers);
    }
  }

  @Test
  void aConnectionBeyondTheBoundTakesThePlaceOfTheOneThatWasSilentTheLongest() throws IOException {
    List<Stranger> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < GossipTransport.MAX_CONNECTIONS; i++) {
        strangers.add(new Stranger(target.port()).introduced("test"));
        strangers.getLast().frame(Frames.of(MessageKind.PING));
      }
      eventually().until(() -> received() >= GossipTransport.MAX_CONNECTIONS);
      strangers.getFirst().frame(Frames.of(MessageKind.PING));
      eventually().until(() -> received() > GossipTransport.MAX_CONNECTIONS);
      strangers.add(new Stranger(target.port()).introduced("test"));
      assertThat(strangers.get(1).isRefused()).isTrue();
      strangers.getFirst().frame(Frames.of(MessageKind.PING));
      strangers.getLast().frame(Frames.of(MessageKind.PING));
      eventually().until(() -> received() >= GossipTransport.MAX_CONNECTIONS + 3);
    } finally {
      closeAll(strangers);
    }
    assertThat(nodes.registry.counter("cordwood.cluster.connections.replaced").count()).isOne();
    stillWorks();
  }

  @Test
  void floodOfMessagesIsDroppedAndCountedAndNothingElse() throws IOException {
    byte[] ping = Frames.of(MessageKind.PING);
    ByteBuffer many = ByteBuffer.allocate(1000 * (Integer.BYTES + ping.length));
    while (many.hasRemaining()) {
      many.putInt(ping.length).put(ping);
    }
    try (Stranger stranger = new Stranger(target.port()).introduced("test")) {
      for (int i = 0; i < 20; i++) {
        stranger.bytes(many.array());
      }
      eventually().until(() -> received() >= 20_000);
    }
    stillWorks();
  }

  @Test
  void wellFormedMessagesOfAStrangerStopNothing() throws IOException {
    try (Stranger stranger = new Stranger(target.port()).introduced("test")) {
      for (MessageKind kind : MessageKind.values()) {
        stranger.frame(Frames.of(kind));
      }
      eventually().until(() -> received() >= MessageKind.values().length);
    }
    stillWorks();
    eventually().untilAsserted(() -> assertThat(target.view().others()).hasSize(1));
  }

  @Test
  void leavingMemberThatNobodyKnowsIsNotPassedOnForEver() throws IOException {
    try (Stranger stranger = new Stranger(target.port()).introduced("test")) {
      stranger.frame(Frames.head(4).u8(6).i32(1).u8(4).member("zombie").u8(2).u8(2).i32(1).body());
      eventually().until(() -> received() >= 1);
    }
    stillWorks();
    assertThat(wire.written()).anyMatch(message -> message.contains(MessageKind.SYNC.qualifier()));
    assertThat(wire.written()).noneMatch(message -> message.contains("zombie"));
  }

  /** Another node can join, each sees the other, and news still arrives. */
  private void stillWorks() throws IOException {
    Cluster friend = nodes.start("friend", Role.INGEST, 0, target.port());
    eventually().until(() -> target.members(Role.INGEST).size() == 1);
    eventually().until(() -> friend.members(Role.STORE).size() == 1);
    NodeLoad load = new NodeLoad(1, 2, 3, 4, 5);
    friend.load(load);
    eventually().until(() -> target.members(Role.INGEST).getFirst().load().equals(load));
    eventually()
        .until(() -> wire.written().stream().anyMatch(m -> m.contains("sc/fdetector/pingAck")));
  }

  private double received() {
    return nodes.registry.counter("cordwood.cluster.frames.received").count();
  }

  private static void closeAll(List<Stranger> strangers) throws IOException {
    for (Stranger stranger : strangers) {
      stranger.close();
    }
  }
}
