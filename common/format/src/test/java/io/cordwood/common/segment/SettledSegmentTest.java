package io.cordwood.common.segment;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A segment that is settled holds what it held, in fewer bytes, and is found by the same filter.
 */
final class SettledSegmentTest {
  private static final int LINES_A_BATCH = 900;

  /** Lines of some hundred messages, which every block has, in some blocks of two topics. */
  private static List<Batch> lines(int batches) {
    var random = new Random(5);
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      messages.add(random.longs(8).mapToObj(Long::toHexString).collect(joining()));
    }
    List<Batch> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<byte[]> lines = new ArrayList<>();
      for (int line = 0; line < LINES_A_BATCH; line++) {
        String message = messages.get(random.nextInt(messages.size()));
        lines.add("%s user=u%03x".formatted(message, random.nextInt(1 << 12)).getBytes(US_ASCII));
      }
      var topic = i < batches / 2 ? Topic.DEFAULT : new Topic("shop");
      all.add(Records.batch(topic, Delimiter.LF, new Ulid((1L << 40) + i, i), lines));
    }
    return all;
  }

  private static byte[] noise() {
    var random = new Random(9);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      byte[] record = new byte[300_000];
      random.nextBytes(record);
      for (int b = 0; b < record.length; b++) {
        record[b] = record[b] == '\n' ? 0 : record[b];
      }
      batches.add(
          Records.batch(Topic.DEFAULT, Delimiter.LF, new Ulid(1L << 40, i), List.of(record)));
    }
    return SegmentFiles.storeSegment(batches);
  }

  private static StoreSegment open(byte[] bytes) throws IOException {
    return StoreSegment.open(SegmentFiles.file(bytes));
  }

  private static List<Batch> batches(StoreSegment segment) throws IOException {
    try (var stream = new SegmentBatches(segment)) {
      return SegmentFiles.all(stream);
    }
  }

  @Test
  void itHoldsTheSameInFewerBytesInBlocksOfTheSameShape() throws IOException {
    List<Batch> all = lines(24);
    byte[] fresh = SegmentFiles.storeSegment(all);
    byte[] settled = SegmentFiles.settled(fresh);

    assertThat(settled.length).isLessThan(fresh.length * 19 / 20);
    StoreSegment before = open(fresh);
    StoreSegment after = open(settled);
    assertThat(before.isSettled()).isFalse();
    assertThat(after.isSettled()).isTrue();
    assertThat(batches(after)).isEqualTo(all);
    assertThat(after.range()).isEqualTo(before.range());
    assertThat(after.totals().rawBytes()).isEqualTo(before.totals().rawBytes());
    assertThat(after.blocks()).hasSameSizeAs(before.blocks()).hasSizeGreaterThan(4);
    for (BlockInfo was : before.blocks()) {
      BlockInfo is = after.blocks().get(was.ordinal());
      assertThat(is).isEqualTo(was.at(is.offset(), is.storedBytes()));
      assertThat(is.storedBytes()).isLessThan(was.storedBytes());
    }
  }

  @Test
  void itsFilterNamesTheSameBlocks() throws IOException {
    byte[] fresh = SegmentFiles.storeSegment(lines(24));
    StoreSegment before = open(fresh);
    StoreSegment after = open(SegmentFiles.settled(fresh));
    var random = new Random(77);
    String some = US_ASCII.decode(batches(before).getFirst().payload()).toString();
    int passed = 0;
    for (int i = 0; i < 200; i++) {
      int at = random.nextInt(some.length() - 12);
      String text = i % 2 == 0 ? some.substring(at, at + 12) : "%012x".formatted(random.nextLong());
      byte[] literal = text.getBytes(US_ASCII);
      var wanted = List.of(new AnyOf(List.of(literal)));
      assertThat(after.candidates(wanted)).isEqualTo(before.candidates(wanted));
      passed += before.candidates(wanted).cardinality();
    }
    assertThat(passed).isBetween(1, 200 * before.blocks().size() - 1);
  }

  @Test
  void itsBlocksAreKnownAsCopiesOfThoseThatAreNotSettled() throws IOException {
    byte[] fresh = SegmentFiles.storeSegment(lines(12));
    StoreSegment before = open(fresh);
    StoreSegment after = open(SegmentFiles.settled(fresh));
    for (BlockInfo was : before.blocks()) {
      assertThat(after.firstForm(after.blocks().get(was.ordinal())))
          .isPresent()
          .isEqualTo(before.firstForm(was));
    }
  }

  @Test
  void whatWouldNotBeSmallerIsCopied() throws IOException {
    byte[] fresh = noise();
    StoreSegment before = open(fresh);
    StoreSegment after = open(SegmentFiles.settled(fresh));
    assertThat(batches(after)).isEqualTo(batches(before));
    int copied = 0;
    for (BlockInfo was : before.blocks()) {
      BlockInfo is = after.blocks().get(was.ordinal());
      copied += is.storedBytes() == was.storedBytes() ? 1 : 0;
      assertThat(after.firstForm(is)).isEqualTo(before.firstForm(was));
    }
    assertThat(copied).isEqualTo(before.blocks().size());
  }

  @Test
  void everyByteOfBothDictionariesIsChecked() throws IOException {
    List<Batch> all = lines(12);
    byte[] settled = SegmentFiles.settled(SegmentFiles.storeSegment(all));
    SegmentFooter footer = StoreSegment.readFooter(SegmentFiles.file(settled));
    int length = footer.dictionaryBytes();
    int second = (int) footer.filter().offset() - length;
    for (int start : new int[] {StoreSegmentHeader.BYTES, second}) {
      for (int i = start; i < start + length; i += 1 + length / 19) {
        byte[] damaged = settled.clone();
        damaged[i] ^= 4;
        assertThatThrownBy(() -> new SegmentCheck().run(open(damaged)))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("dictionary");
        assertThat(SegmentSalvage.scan(SegmentFiles.file(damaged)).damage()).hasSize(1);
        assertThat(batches(open(damaged))).as("by the other one").isEqualTo(all);
      }
    }
  }

  @Test
  void withoutBothDictionariesNoBlockIsTakenForIntact() throws IOException {
    byte[] settled = SegmentFiles.settled(SegmentFiles.storeSegment(lines(12)));
    SegmentFooter footer = StoreSegment.readFooter(SegmentFiles.file(settled));
    settled[StoreSegmentHeader.BYTES + SegmentDictionary.HEAD_BYTES] ^= 1;
    settled[(int) footer.filter().offset() - 1] ^= 1;

    SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(settled));

    assertThat(salvage.blocks()).isEmpty();
    assertThat(salvage.damage()).isNotEmpty();
    assertThatThrownBy(() -> batches(open(settled)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("dictionary");
  }

  /** Header, first dictionary, index and footer are gone: what is left is read by the second. */
  @Test
  void theSecondDictionaryIsFoundWithoutHelp() throws IOException {
    List<Batch> all = lines(12);
    byte[] settled = SegmentFiles.settled(SegmentFiles.storeSegment(all));
    int length = StoreSegment.readFooter(SegmentFiles.file(settled)).dictionaryBytes();
    assertThat(length).isGreaterThan(1000);
    java.util.Arrays.fill(settled, 0, StoreSegmentHeader.BYTES + length, (byte) 0);
    settled[settled.length - 1] ^= 1;

    SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(settled));

    assertThat(salvage.damage()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(batches(salvage.segment(SegmentFiles.file(settled)).orElseThrow())).isEqualTo(all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 8, 12, 16})
  void aDictionaryWithANumberThatCannotBeIsRefused(int at) {
    ByteBuffer bytes = SegmentDictionary.encode(new byte[] {1, 2, 3});
    bytes.putInt(at, Integer.MAX_VALUE);
    assertThatThrownBy(() -> SegmentDictionary.read(ByteSource.of(bytes), 0))
        .isInstanceOf(CorruptException.class);
    bytes.putInt(20, Checksums.of(bytes, 0, 20)); // Also if the head is sound.
    assertThatThrownBy(() -> SegmentDictionary.read(ByteSource.of(bytes), 0))
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void aDamagedSourceIsToldFromATargetThatFails() throws IOException {
    byte[] fresh = SegmentFiles.storeSegment(lines(12));
    StoreSegment intact = open(fresh);
    assertThatThrownBy(
            () -> {
              try (var settler = new SegmentSettler(intact, new FullChannel())) {
                while (settler.step() > 0) {
                  // Chooses its dictionary.
                }
              }
            })
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SegmentSettler.SourceException.class)
        .hasMessage("full");
    for (BlockInfo block : intact.blocks()) {
      fresh[(int) block.offset() + block.storedBytes() - 1] ^= 1;
    }
    try (var settler =
        new SegmentSettler(open(fresh), Channels.newChannel(new ByteArrayOutputStream()))) {
      assertThatThrownBy(settler::step).isInstanceOf(SegmentSettler.SourceException.class);
    }
  }

  /** A disk without room. */
  private static final class FullChannel implements java.nio.channels.WritableByteChannel {
    @Override
    public int write(ByteBuffer src) throws IOException {
      throw new IOException("full");
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void dictionariesLeaveMemoryForOthersAndAreReadAgain() throws IOException {
    var kept = new KeptIndexes(100_000);
    List<Batch> all = lines(24);
    byte[] settled = SegmentFiles.settled(SegmentFiles.storeSegment(all));
    List<StoreSegment> segments = new ArrayList<>();
    for (int i : IntStream.range(0, 8).toArray()) {
      segments.add(StoreSegment.open(SegmentFiles.file(settled), kept));
      assertThat(batches(segments.get(i))).isEqualTo(all);
    }
    assertThat(kept.bytes()).isLessThanOrEqualTo(100_000);
    for (StoreSegment segment : segments) {
      assertThat(batches(segment)).isEqualTo(all);
      segment.release();
    }
    assertThat(kept.bytes()).isZero();
  }
}
