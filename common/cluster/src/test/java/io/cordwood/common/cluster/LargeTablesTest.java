package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables of clusters so large that they do not fit into a frame as they are. A node that could not
 * send its table would let nobody join, and would not heal after a partition.
 */
final class LargeTablesTest {
  private static final Pattern ADDRESS = Pattern.compile("cordwood-[0-9]+[.][^,]*:7659");

  private final AtomicInteger cut = new AtomicInteger();
  private final GossipCodec codec = new GossipCodec(_ -> {}, cut::incrementAndGet);

  @Test
  void aTableThatFitsIsNotPackedSoThatNodesOfEarlierVersionsReadIt() throws IOException {
    assertThat(written(table(500))[0]).isEqualTo((byte) GossipOutput.VERSION);
  }

  @ParameterizedTest
  @ValueSource(ints = {700, 1000, 2000})
  void aTableThatDoesNotFitIsPackedWhole(int members) throws IOException {
    byte[] frame = written(table(members));
    assertThat(frame[0]).isEqualTo((byte) PackedBody.VERSION);
    assertThat(frame.length).isLessThanOrEqualTo(Frame.MAX_BYTES);
    assertThat(addresses(read(frame))).hasSize(members);
    assertThat(cut).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {3000, 6000})
  void aTableThatDoesNotFitPackedIsSentInPartsUntilAllIsSaid(int members) throws IOException {
    Message table = table(members);
    Set<String> heard = new HashSet<>();
    int frames = 0;
    while (heard.size() < members) {
      List<String> part = addresses(read(written(table)));
      assertThat(part).doesNotHaveDuplicates().contains(address(0)).hasSizeGreaterThan(1000);
      heard.addAll(part);
      frames++;
    }
    assertThat(cut).hasValue(frames);
  }

  @Test
  void aThousandMembersAreToldOverARealConnection() throws IOException {
    GossipTransport one = bind();
    GossipTransport other = bind();
    try {
      List<Message> heard = new CopyOnWriteArrayList<>();
      other.listen().subscribe(heard::add);
      other.hear();
      one.send(other.address(), table(1000)).block(Patience.LONG);
      eventually().until(() -> !heard.isEmpty());
      assertThat(addresses(heard.getFirst())).hasSize(1000).doesNotHaveDuplicates();
    } finally {
      one.stop().block(Patience.LONG);
      other.stop().block(Patience.LONG);
    }
  }

  @Test
  void packedFrameThatIsDamagedIsRefused() throws IOException {
    byte[] frame = written(table(1000));
    refuses(Arrays.copyOf(frame, frame.length - 1), "cut off");
    refuses(Arrays.copyOf(frame, frame.length + 1), "left over");
    refuses(new byte[] {PackedBody.VERSION}, "cut off");
    refuses(new byte[] {PackedBody.VERSION, -1, -1}, "does not unpack");
  }

  @Test
  void packedFrameOfAnythingButATableIsRefused() {
    for (MessageKind kind : MessageKind.values()) {
      if (kind.payload() != WireType.SYNC) {
        refuses(PackedBody.pack(Frames.of(kind)), "expected SYNC");
      }
    }
    refuses(PackedBody.pack(PackedBody.pack(Frames.of(MessageKind.SYNC))), "unknown version 2");
  }

  @Test
  void packedFrameOfMoreThanTheLimitIsRefused() {
    byte[] most = new byte[GossipCodec.MAX_TABLE_BYTES];
    refuses(PackedBody.pack(most), "unknown version 0");
    refuses(PackedBody.pack(new byte[most.length + 1]), "more than 524288 bytes");
    refuses(PackedBody.pack(new byte[50_000_000]), "more than 524288 bytes");
  }

  private GossipTransport bind() throws IOException {
    return new GossipTransport(
        new HostPort("127.0.0.1", 0),
        codec,
        HostPort::resolve,
        new Handshake("test", ClusterKeys.NONE),
        Optional.empty(),
        GossipMetrics.in(new SimpleMeterRegistry()));
  }

  /** A table of members that are called as in Kubernetes, and that no frame could bring. */
  private static Message table(int members) throws IOException {
    Random random = new Random(1);
    Frames frame = new Frames().u8(1).u8(5).text("id-1").text(address(0)).u8(6).i32(members);
    for (int i = 0; i < members; i++) {
      String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
      frame.u8(4).u8(1).text(id).text(address(i)).text("cordwood-production").u8(2).u8(0).i32(i);
    }
    return new GossipInput(ByteBuffer.wrap(frame.body())).readFrame();
  }

  private static String address(int node) {
    return "cordwood-" + node + ".cordwood.logs:7659";
  }

  private static List<String> addresses(Message table) {
    String members = table.<Object>data().toString();
    return ADDRESS.matcher(members).results().map(found -> found.group()).toList();
  }

  private byte[] written(Message message) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    codec.serialize(message, frame);
    return frame.toByteArray();
  }

  private Message read(byte[] frame) throws IOException {
    return codec.deserialize(new ByteArrayInputStream(frame));
  }

  private void refuses(byte[] frame, String why) {
    assertThatThrownBy(() -> read(frame))
        .isExactlyInstanceOf(GossipFormatException.class)
        .hasMessageContaining(why);
  }
}
