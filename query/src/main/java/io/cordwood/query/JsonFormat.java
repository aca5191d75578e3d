package io.cordwood.query;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * One JSON object a line: {@code ulid}, {@code time} (RFC 3339), {@code topic}, {@code record}. A
 * record that is not UTF-8 has U+FFFD for what is not, and its exact bytes in {@code
 * record_base64}.
 */
final class JsonFormat implements RecordFormat {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .rootValueSeparator("")
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  @Override
  public String contentType() {
    return "application/x-ndjson";
  }

  @Override
  public boolean needsUlids() {
    return true;
  }

  @Override
  public void write(BlockHits hits, BlockHits.Group group, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      for (int hit = group.from(); hit < group.to(); hit++) {
        write(json, hits, group, hit);
        json.writeRaw('\n');
      }
    }
  }

  /**
   * One more object: {@code verdict}, {@code matches}, the nodes that are {@code missing}, if any,
   * and of a lookup by position where to read on.
   */
  @Override
  public void end(AnswerEnd end, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("verdict", end.verdict().word());
      json.writeNumberProperty("matches", end.matches());
      end.verdict().doubt().ifPresent(why -> json.writeStringProperty("doubt", why));
      if (!end.verdict().missing().isEmpty()) {
        writeMissing(json, end.verdict());
      }
      end.positions().ifPresent(positions -> write(json, positions));
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  /** An object that is no record: {@code notice}. */
  void notice(String text, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("notice", text);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void writeMissing(JsonGenerator json, Verdict verdict) {
    json.writeNumberProperty("missing_nodes", verdict.missing().size());
    json.writeArrayPropertyStart("missing");
    for (Missing missing : verdict.named()) {
      json.writeStartObject();
      json.writeStringProperty("node", missing.nodeId());
      json.writeStringProperty("tier", missing.tier().toString());
      json.writeStringProperty("times", missing.interval());
      json.writeStringProperty("reason", missing.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, ReadPositions positions) {
    json.writeStringProperty(ReadPositions.NEXT, positions.next().toString());
    positions
        .settled()
        .ifPresent(ulid -> json.writeStringProperty(ReadPositions.SETTLED, ulid.toString()));
  }

  private static void write(JsonGenerator json, BlockHits hits, BlockHits.Group group, int hit) {
    Ulid ulid = hits.ulid(group, hit);
    json.writeStartObject();
    json.writeStringProperty("ulid", ulid.toString());
    json.writeStringProperty("time", ulid.time().toString());
    json.writeStringProperty("topic", hits.topic().name());
    ByteBuffer record = hits.record(hit);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(record.duplicate()).toString();
      json.writeStringProperty("record", text);
    } catch (CharacterCodingException e) {
      json.writeStringProperty("record", hits.text(hit, StandardCharsets.UTF_8));
      json.writeName("record_base64");
      json.writeBinary(
          record.array(), record.arrayOffset() + record.position(), record.remaining());
    }
    json.writeEndObject();
  }
}
