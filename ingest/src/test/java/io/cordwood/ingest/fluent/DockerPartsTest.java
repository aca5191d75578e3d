package io.cordwood.ingest.fluent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.StoredEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Long lines of containers, which Docker's driver sends in parts. */
class DockerPartsTest extends ForwardFixture {
  private static byte[] part(String id, int ordinal, boolean isLast, String log, String chunk)
      throws IOException {
    return packed(packer -> {
      packer.packArrayHeader(chunk.isEmpty() ? 3 : 4).packString("t").packLong(1_795_000_000);
      packer.packMapHeader(8).packString("container_name").packString("/c");
      packer.packString("source").packString("stdout").packString("log").packString(log);
      packer.packString("container_id").packString("1");
      packer.packString("partial_message").packString("true").packString("partial_id");
      packer.packString(id).packString("partial_ordinal").packString("" + ordinal);
      packer.packString("partial_last").packString("" + isLast);
      if (!chunk.isEmpty()) {
        packer.packMapHeader(1).packString("chunk").packString(chunk);
      }
    });
  }

  private List<StoredEvent> stored(int records, byte[]... parts) throws IOException {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    assertThat(send(all.toByteArray())).isEmpty();
    List<StoredEvent> events = StoredEvent.of(node, records);
    node.assertLedgerIsExact();
    return events;
  }

  @Test
  void theyAreOneRecordAlsoIfTwoLinesComeAtOnce() throws Exception {
    List<StoredEvent> events =
        stored(
            2,
            part("a", 1, false, "x".repeat(16_384), ""),
            part("b", 1, false, "y".repeat(16_384), ""),
            part("a", 2, false, "x".repeat(16_384), ""),
            part("b", 2, true, "end", ""),
            part("a", 3, true, "end", ""));
    assertThat(events)
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrder("x".repeat(32_768) + "end", "y".repeat(16_384) + "end");
    assertThat(events).extracting(StoredEvent::beside).containsOnly(Map.of());
  }

  @Test
  void whatDoesNotBecomeWholeIsARecordForEachPart() throws Exception {
    List<StoredEvent> events =
        stored(
            4,
            part("a", 1, false, "one", ""),
            part("a", 2, false, "two", ""),
            part("b", 2, true, "late", ""),
            part("c", 1, false, "first", ""));
    assertThat(events)
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrder("one", "two", "late", "first");
    assertThat(events)
        .extracting(event -> event.beside().get("partial_id") + event.beside().get("partial_last"))
        .containsExactlyInAnyOrder("afalse", "afalse", "btrue", "cfalse");
    assertThat(node.counted("parts_unjoined")).isEqualTo(4);
  }

  @Test
  void ofTooMuchNothingIsLostAndNothingIsKept() throws Exception {
    byte[][] parts = new byte[400][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = part("line" + i % 4, i / 4 + 1, false, i + "x".repeat(16_000), "");
    }
    List<StoredEvent> events = stored(400, parts);
    assertThat(events).extracting(StoredEvent::text).doesNotHaveDuplicates();
    assertThat(node.counted("parts_unjoined")).isEqualTo(400);
  }

  @Test
  void partsThatAreToBeAcknowledgedAreRecordsOfTheirOwn() throws Exception {
    assertThat(send(part("a", 1, false, "one", "c1"))).isEqualTo(ack("c1"));
    assertThat(send(part("a", 2, true, "two", "c2"))).isEqualTo(ack("c2"));
    assertThat(StoredEvent.of(node, 2))
        .extracting(event -> event.text() + event.beside().get("partial_ordinal"))
        .containsExactlyInAnyOrder("one1", "two2");
    assertThat(node.counted("parts_unjoined")).isZero();
  }
}
