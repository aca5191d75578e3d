package io.cordwood.ingest.fluent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.StoredEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that say of themselves that they are huge, or that are deep, wherever that stands. */
class ForwardBombsTest extends ForwardFixture {
  private static final int LEVELS = 1 << 20;
  private static final String BEGIN = "93a174";
  private static final String TIME = "ce6afd1e40";

  /** A record with one pair, up to its value. */
  private static final String RECORD = BEGIN + TIME + "81a161";

  private void isRefused(byte[] bomb) throws IOException {
    long before = node.counted("requests", "protocol", "fluent", "outcome", "refused");
    assertThat(send(bomb)).isEmpty();
    assertThat(node.counted("requests", "protocol", "fluent", "outcome", "refused"))
        .isEqualTo(before + 1);
  }

  @AfterEach
  void theNodeGoesOnAndHoldsNothingOfThem() throws IOException {
    assertThat(send(message("t", 1_795_000_000, "good", "g"))).isEqualTo(ack("g"));
    assertThat(StoredEvent.of(node, 1))
        .extracting(StoredEvent::text)
        .containsExactly("{\"msg\":\"good\"}");
    node.assertLedgerIsExact();
  }

  private static byte[] packedEntries(byte[] entries) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(entries);
    }
    return packed(packer -> {
      packer.packArrayHeader(3).packString("t");
      packer.packBinaryHeader(bytes.size()).addPayload(bytes.toByteArray());
      packer.packMapHeader(2).packString("compressed").packString("gzip");
      packer.packString("chunk").packString("c");
    });
  }

  /** Heads of texts, bytes, extensions, lists and maps of 4 GiB, and of almost 2. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dbffffffff",
        "db7fffffff",
        "c67fffffff",
        "c97fffffff00",
        "dd7fffffff",
        "df7fffffff"
      })
  void aLengthThatIsStatedTakesNoMemoryWhereverItStands(String head) throws Exception {
    isRefused(hex(head));
    isRefused(hex("93" + head));
    isRefused(hex(BEGIN + head));
    isRefused(hex(RECORD + head));
    isRefused(hex(BEGIN + TIME + "81" + head));
    isRefused(hex("94a174" + TIME + "80" + "81a56368756e6b" + head));
    isRefused(packedEntries(hex(head)));
    isRefused(packedEntries(hex("92" + TIME + "81a161" + head)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"91", "81a161", "810182"})
  void whatIsDeepIsNotFollowedToItsEnd(String level) throws Exception {
    byte[] deep = hex(level.repeat(LEVELS));
    var record = new ByteArrayOutputStream();
    record.writeBytes(hex(RECORD));
    record.writeBytes(deep);
    isRefused(record.toByteArray());
    var entries = new ByteArrayOutputStream();
    entries.writeBytes(hex("92" + TIME + "81a161"));
    entries.writeBytes(deep);
    isRefused(packedEntries(entries.toByteArray()));
  }

  @Test
  void aRecordThatIsDeepAndWholeIsRefused() throws Exception {
    var record = new ByteArrayOutputStream();
    record.writeBytes(hex("94a174" + TIME + "81a161"));
    record.writeBytes(hex("91".repeat(LEVELS) + "c0" + "81a56368756e6ba163"));
    isRefused(record.toByteArray());
  }
}
