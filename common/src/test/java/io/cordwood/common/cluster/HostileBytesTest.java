package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.node;
import static io.cordwood.common.cluster.Nodes.options;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
          ByteBuffer.allocate(4).putInt(GossipCodec.MAX_FRAME_BYTES + 1).array(),
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
      try (Socket stranger = connect()) {
        stranger.getOutputStream().write(garbage);
        assertThat(stranger.getInputStream().read()).isEqualTo(-1);
      }
    }
    assertThat(nodes.registry.counter("cordwood.cluster.frames.refused").count())
        .isEqualTo(GARBAGE.size());
    stillWorks();
  }

  @Test
  void halfAFrameAndAHangUpIsNothing() throws IOException {
    try (Socket stranger = connect()) {
      stranger.getOutputStream().write(ByteBuffer.allocate(54).putInt(100).array());
    }
    stillWorks();
  }

  @Test
  void connectionsBeyondTheBoundAreRefusedAndCounted() throws IOException {
    Socket[] strangers = new Socket[GossipTransport.MAX_CONNECTIONS];
    try {
      for (int i = 0; i < strangers.length; i++) {
        strangers[i] = connect();
      }
      try (Socket last = connect()) {
        assertThat(last.getInputStream().read()).isEqualTo(-1);
      }
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
    assertThat(nodes.registry.counter("cordwood.cluster.connections.refused").count()).isOne();
    stillWorks();
  }

  @Test
  void wellFormedMessagesOfAStrangerStopNothing() throws IOException {
    try (Socket stranger = connect()) {
      for (MessageKind kind : MessageKind.values()) {
        send(stranger, Frames.of(kind));
      }
      eventually().until(() -> received() >= MessageKind.values().length);
    }
    stillWorks();
    assertThat(target.view().others()).hasSize(1);
  }

  @Test
  void leavingMemberThatNobodyKnowsIsNotPassedOnForEver() throws IOException {
    try (Socket stranger = connect()) {
      send(stranger, Frames.head(4).u8(6).i32(1).u8(4).member("zombie").u8(2).u8(2).i32(1).body());
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

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), target.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static void send(Socket socket, byte[] body) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(body.length);
    out.write(body);
    out.flush();
  }
}
