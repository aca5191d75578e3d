package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.cordwood.common.testing.Seed;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GossipCodecTest {
  /** What reading one hostile frame may allocate: some times its size, for the objects in it. */
  private static final long MAX_ALLOCATED_BYTES = 16L * Frame.MAX_BYTES;

  private final GossipCodec codec = new GossipCodec();

  @ParameterizedTest
  @EnumSource
  void everyKindReadsAndWritesTheSameBytes(MessageKind kind) throws IOException {
    byte[] body = Frames.of(kind);
    assertThat(Frames.roundTrip(body)).isEqualTo(body);
  }

  private static byte[] gossip(String gossiper, long number, String member, int status, int of)
      throws IOException {
    Frames frame = Frames.head(6).u8(9).i32(1).gossip(gossiper, number, member, status, of);
    return Frames.roundTrip(frame.text("sender").body());
  }

  @Test
  void newsHaveOneNameWhoeverBeganToSpreadThem() throws IOException {
    byte[] named = gossip("a", 1, "m", 0, 7);
    assertThat(gossip("b", 1, "m", 0, 7)).isEqualTo(named);
    assertThat(gossip("a", 2, "m", 0, 7)).isEqualTo(named);
    assertThat(gossip("m", 7, "m", 0, 7)).isEqualTo(named);
    assertThat(gossip("a", 1, "m", 0, 8)).isNotEqualTo(named);
    assertThat(gossip("a", 1, "m", 1, 7)).isNotEqualTo(named);
    assertThat(gossip("a", 1, "n", 0, 7)).isNotEqualTo(named);
  }

  @Test
  void readMessageHasItsHeadersAndData() throws IOException {
    Message message = read(Frames.of(MessageKind.SYNC_ACK));
    assertThat(message.qualifier()).isEqualTo(MessageKind.SYNC_ACK.qualifier());
    assertThat(message.correlationId()).isEqualTo("id-1");
    assertThat(message.sender()).isEqualTo("127.0.0.1:7659");
    assertThat(message.<Object>data().toString())
        .contains("cordwood-test:a@host-a:7659, s: ALIVE, inc: 0")
        .contains("cordwood-test:c@host-c:7659, s: ALIVE, inc: " + (1 << 30));
  }

  @Test
  void emptyCorrelationIdIsNone() throws IOException {
    byte[] body = new Frames().u8(1).u8(4).text("").text("a:1").u8(6).i32(0).body();
    assertThat(read(body).correlationId()).isNull();
    assertThat(Frames.roundTrip(body)).isEqualTo(body);
  }

  @ParameterizedTest
  @EnumSource
  void everyTruncationIsRefused(MessageKind kind) {
    byte[] body = Frames.of(kind);
    for (int length = 0; length < body.length; length++) {
      refuses(Arrays.copyOf(body, length), "");
    }
  }

  @Test
  void aFrameOfSeveralGossipsReadsAndEveryTruncationOfItIsRefused() throws IOException {
    long number = 1L << 40;
    Frames frame = Frames.head(6).u8(9).i32(3);
    for (String member : new String[] {"a", "b", "c"}) {
      frame.gossip(member, number + 4);
    }
    byte[] body = frame.text("host-id").body();
    assertThat(Frames.roundTrip(body)).isEqualTo(body);
    for (int length = 0; length < body.length; length++) {
      refuses(Arrays.copyOf(body, length), "");
    }
    refuses(Frames.head(6).u8(9).i32(3).gossip("a", number).text("host-id").body(), "");
  }

  @ParameterizedTest
  @EnumSource
  void bytesLeftOverAreRefused(MessageKind kind) {
    byte[] body = Frames.of(kind);
    refuses(Arrays.copyOf(body, body.length + 1), "left over");
  }

  @ParameterizedTest
  @EnumSource
  void damageReadsOrIsRefusedButNeverAnythingElse(MessageKind kind) {
    long seed = Seed.of(GossipCodecTest.class);
    Random random = new Random(seed);
    byte[] body = Frames.of(kind);
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = body.clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      readsOrRefuses(damaged, seed);
    }
  }

  @Test
  void noiseIsRefusedWithoutGreatAllocations() {
    long seed = Seed.of(GossipCodecTest.class);
    Random random = new Random(seed);
    byte[] noise = new byte[Frame.MAX_BYTES];
    for (int i = 0; i < 100; i++) {
      random.nextBytes(noise);
      byte[] head = Frames.head(1 + random.nextInt(8)).u8(4 + random.nextInt(8)).body();
      System.arraycopy(head, 0, noise, 0, head.length);
      assertThat(allocatedBytes(() -> readsOrRefuses(noise, seed))).isLessThan(MAX_ALLOCATED_BYTES);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 4000})
  void countThatTheBytesCannotHoldIsRefusedBeforeAllocating(int count) {
    for (byte[] body :
        new byte[][] {
          Frames.head(4).u8(6).i32(count).record("a", 0).body(),
          Frames.head(6).u8(9).i32(count).gossip("a", 0).text("a").body(),
          Frames.head(8).u8(11).member("a").i32(count).raw(new byte[100]).body(),
        }) {
      assertThat(allocatedBytes(() -> refuses(body, "at most"))).isLessThan(MAX_ALLOCATED_BYTES);
    }
  }

  @Test
  void fullestFrameOfRecordsReads() throws IOException {
    Frames frame = Frames.head(5).u8(6).i32(1000);
    for (int i = 0; i < 1000; i++) {
      frame.record("m" + i, i);
    }
    assertThat(Frames.roundTrip(frame.body())).isEqualTo(frame.body());
  }

  @Test
  void objectOutOfPlaceIsRefused() {
    refuses(Frames.head(1).u8(6).i32(0).body(), "expected PING, found SYNC");
    refuses(Frames.head(4).u8(6).i32(1).u8(9).raw(new byte[99]).body(), "GOSSIP_REQUEST at place");
    refuses(Frames.head(1).u8(5).member("a").u8(0).u8(0).u8(0).body(), "NULL at place 1");
    refuses(Frames.head(1).u8(5).member("a").member("b").u8(3).u8(0).body(), "ACK at place 2");
    refuses(Frames.head(7).u8(10).u8(0).body(), "NULL at place 0");
    refuses(
        Frames.head(6).u8(9).i32(1).u8(8).text("a").u8(7).u8(9).raw(new byte[99]).body(),
        "expected RECORD");
  }

  @Test
  void unknownNumbersAreRefused() {
    refuses(new Frames().u8(3).u8(1).body(), "unknown version 3");
    refuses(new Frames().u8(1).u8(0).body(), "unknown message kind 0");
    refuses(new Frames().u8(1).u8(10).body(), "unknown message kind 10");
    refuses(Frames.head(1).u8(13).body(), "unknown object tag 13");
    refuses(Frames.head(4).u8(6).i32(1).u8(4).member("a").u8(2).u8(4).i32(0).body(), "status 4");
    refuses(Frames.head(3).u8(5).member("a").member("b").u8(0).u8(3).u8(2).body(), "to a probe: 2");
  }

  @Test
  void numbersThatNoPeerReachesAreRefused() {
    refuses(Frames.head(4).u8(6).i32(1).record("a", (1 << 30) + 1).body(), "in a RECORD");
    refuses(Frames.head(4).u8(6).i32(1).record("a", -1).body(), "in a RECORD");
    refuses(
        Frames.head(6).u8(9).i32(1).gossip("a", -1).text("a").body(), "a negative sequence: -1");
  }

  @Test
  void textsOutOfBoundsAreRefused() {
    refuses(Frames.head(7).u8(10).u8(1).text("").text("a:1").text("n").body(), "0 characters");
    refuses(
        Frames.head(7).u8(10).u8(1).text("x".repeat(321)).text("a:1").text("n").body(),
        "321 characters");
    refuses(Frames.head(7).u8(10).u8(1).text("a\nb").text("a:1").text("n").body(), "byte 10");
    refuses(Frames.head(7).u8(10).u8(1).text("ä").text("a:1").text("n").body(), "byte 195");
    refuses(Frames.head(7).u8(10).u8(1).text("a").text("a:1").text("n m").body(), "byte 32");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a:0", ":1", "a:99999", "/etc:1", "a:b:1"})
  void addressThatNobodyListensOnIsRefused(String address) {
    refuses(new Frames().u8(1).u8(4).text("").text(address).u8(6).i32(0).body(), "an address");
    refuses(Frames.head(7).u8(10).u8(1).text("a").text(address).text("n").body(), "an address");
  }

  @Test
  void leavingMemberOfATableCountsAsSuspected() throws IOException {
    byte[] body = Frames.head(4).u8(6).i32(1).u8(4).member("a").u8(2).u8(2).i32(1).body();
    assertThat(read(body).<Object>data().toString()).contains("s: SUSPECT, inc: 1");
  }

  @Test
  void bodyOverTheLimitIsRefused() {
    refuses(new byte[Frame.MAX_BYTES + 1], "longer than 65536 bytes");
  }

  @Test
  void messageThatNoPeerWouldReadIsNotWritten() {
    assertThatThrownBy(() -> write(Message.withData("text").qualifier("other").build()))
        .isInstanceOf(GossipFormatException.class);
    assertThatThrownBy(() ->
            write(
                Message.withData(new ArrayList<>())
                    .qualifier(MessageKind.SYNC.qualifier())
                    .build()))
        .isInstanceOf(GossipFormatException.class)
        .hasMessageContaining("java.util.ArrayList");
    assertThatThrownBy(() ->
            write(
                Message.withData(new Member("i".repeat(65_000), null, "a:1", "n"))
                    .qualifier(MessageKind.METADATA_REQUEST.qualifier())
                    .correlationId("c".repeat(1000))
                    .build()))
        .isInstanceOf(GossipFormatException.class)
        .hasMessageContaining("a frame has 65536");
  }

  private Message read(byte[] body) throws IOException {
    return codec.deserialize(new ByteArrayInputStream(body));
  }

  private void write(Message message) throws IOException {
    codec.serialize(message, new ByteArrayOutputStream());
  }

  private void refuses(byte[] body, String why) {
    assertThatThrownBy(() -> read(body))
        .isExactlyInstanceOf(GossipFormatException.class)
        .hasMessageContaining(why);
  }

  private void readsOrRefuses(byte[] body, long seed) {
    assertThatCode(
            () -> {
              try {
                read(body);
              } catch (GossipFormatException e) {
                assertThat(e).hasMessageMatching("(?s).+");
              }
            })
        .as("seed %d", seed)
        .doesNotThrowAnyException();
  }

  private static long allocatedBytes(Runnable run) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    run.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
