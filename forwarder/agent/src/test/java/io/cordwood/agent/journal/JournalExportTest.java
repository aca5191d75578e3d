package io.cordwood.agent.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.PreparedBatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries as journalctl exports them become records. */
final class JournalExportTest {
  private static final String ENTRY =
      """
      __CURSOR=s=1;i=2
      __REALTIME_TIMESTAMP=1795723023203511
      _BOOT_ID=b0
      _HOSTNAME=worker-7
      _SYSTEMD_UNIT=shop.service
      PRIORITY=3
      TAG=a
      TAG=b "c"
      MESSAGE=payment failed

      """;

  private static JournalExport export(byte[] bytes) {
    return new JournalExport(new ByteArrayInputStream(bytes));
  }

  private static PreparedBatch batch(JournalExport export) throws IOException {
    return batch(requireNonNull(export.next()));
  }

  private static PreparedBatch batch(JournalEntry entry) {
    return entry.batch("journal", Labels.of(Map.of("env", "prod")), () -> {}, () -> {});
  }

  private static String text(PreparedBatch batch) {
    int at = PreparedBatch.payloadAt(batch.origin());
    return new String(batch.bytes(), at, batch.bytes().length - at, UTF_8);
  }

  private static byte[] binary(String name, byte[] value) {
    var out = new ByteArrayOutputStream();
    out.writeBytes((name + "\n").getBytes(UTF_8));
    ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    out.writeBytes(length.putLong(value.length).array());
    out.writeBytes(value);
    out.write('\n');
    return out.toByteArray();
  }

  @Test
  void textStandsBeforeTheRestAndSomeFieldsAreLabels() throws IOException {
    JournalExport export = export((ENTRY + "\n" + ENTRY).getBytes(UTF_8));
    PreparedBatch batch = batch(export);
    assertThat(text(batch))
        .isEqualTo("payment failed  {\"PRIORITY\":\"3\",\"TAG\":[\"a\",\"b \\\"c\\\"\"]}\0");
    assertThat(batch.origin().labels().pairs())
        .isEqualTo(
            Map.of("boot_id", "b0", "env", "prod", "host", "worker-7", "unit", "shop.service"));
    assertThat(export.next()).isNotNull();
    assertThat(export.next()).isNull();
  }

  @Test
  void binaryValuesHaveTheirLineFeedsAndNoNuls() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("__CURSOR=x\n".getBytes(UTF_8));
    bytes.writeBytes(binary("MESSAGE", "one\ntwo\0\u00e9\n".getBytes(UTF_8)));
    bytes.write('\n');
    assertThat(text(batch(export(bytes.toByteArray())))).isEqualTo("one\ntwo\uFFFDé\n\0");
  }

  @Test
  void longValuesAreCutAndManyFieldsLeftOutAndThatIsCounted() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("__CURSOR=x\n".getBytes(UTF_8));
    bytes.writeBytes(binary("MESSAGE", new byte[3 << 20]));
    bytes.writeBytes(("LONG=" + "y".repeat(3 << 20) + "\n").getBytes(UTF_8));
    for (int i = 0; i < 2000; i++) {
      bytes.writeBytes(("F" + i + "=x\n").getBytes(UTF_8));
    }
    bytes.writeBytes(("\n" + ENTRY).getBytes(UTF_8));
    JournalExport export = export(bytes.toByteArray());
    JournalEntry longest = requireNonNull(export.next());
    assertThat(longest.cuts()).as("two values, and the fields after 1,024").isEqualTo(2 + 979);
    assertThat(batch(longest).bytes().length)
        .isLessThan(PreparedBatch.MAX_RECORD_BYTES + PreparedBatch.MOST_BEFORE_RECORDS + 2);
    assertThat(longest.cuts()).as("and the record of all of them").isEqualTo(3 + 979);
    JournalEntry next = requireNonNull(export.next());
    assertThat(text(batch(next))).startsWith("payment failed");
    assertThat(next.cuts()).isZero();
  }

  /** Also if many are given for all entries. */
  @Test
  void whatHasNoRoomAmongTheLabelsStandsWithTheRest() throws IOException {
    var many = new HashMap<String, String>();
    for (int i = 0; i < Labels.MAX_PAIRS - 1; i++) {
      many.put("l" + i, "x");
    }
    PreparedBatch batch =
        requireNonNull(export(ENTRY.getBytes(UTF_8)).next())
            .batch("journal", Labels.of(many), () -> {}, () -> {});
    assertThat(batch.origin().labels().pairs())
        .hasSize(Labels.MAX_PAIRS)
        .containsEntry("boot_id", "b0");
    assertThat(text(batch))
        .contains("\"_HOSTNAME\":\"worker-7\"", "\"_SYSTEMD_UNIT\":\"shop.service\"")
        .doesNotContain("_BOOT_ID");
  }

  @Test
  void whatIsCutOffIsNoEntry() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(binary("MESSAGE", "text".getBytes(UTF_8)));
    bytes.writeBytes("A=b\n".getBytes(UTF_8));
    byte[] whole = bytes.toByteArray();
    for (int length = 0; length <= whole.length; length++) {
      assertThat(export(Arrays.copyOf(whole, length)).next()).isNull();
    }
  }

  @Test
  void nonsenseIsAnError() {
    byte[] random = new byte[1000];
    new Random(Long.getLong("cordwood.seed", 45)).nextBytes(random);
    random[0] = '=';
    random[1] = '\n';
    assertThatThrownBy(export(random)::next)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a field's name of 1 to 256 bytes, found 0");
    byte[] negative = binary("A", new byte[0]);
    negative[9] = -1;
    assertThatThrownBy(export(negative)::next).hasMessageContaining("expected a length, found");
  }
}
