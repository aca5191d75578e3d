package io.cordwood.query.http;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.Level;
import io.cordwood.query.fields.ParsedRecord;
import io.cordwood.query.result.BlockHits;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * One JSON object a line: {@code ulid}, {@code time} (RFC 3339), {@code topic}, {@code labels} if
 * there are some, {@code record}. A record that is not UTF-8 has U+FFFD for what is not, and its
 * exact bytes in {@code record_base64}. With context, the number of its {@code group}, and whether
 * it is {@code context}. If wanted, what is found in it as {@code parsed}, see {@link
 * ParsedRecord}.
 */
public final class JsonFormat implements RecordFormat {
  private final Optional<Counter> parsedCut;
  private final Extract extract;
  private int group;
  private boolean context;

  /** Records as they are. */
  public JsonFormat() {
    this(Optional.empty(), Extract.NONE);
  }

  /**
   * @param parsedCut counts records of which there may be more than is given as {@code parsed};
   *     empty if they are not to be parsed
   * @param extract fields that are groups of regular expressions
   */
  JsonFormat(Optional<Counter> parsedCut, Extract extract) {
    this.parsedCut = parsedCut;
    this.extract = extract;
  }

  @Override
  public String contentType() {
    return JsonLines.TYPE;
  }

  @Override
  public boolean needsUlids() {
    return true;
  }

  @Override
  public void write(BlockHits hits, BlockHits.Group group, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonLines.generator(out)) {
      for (int hit = group.from(); hit < group.to(); hit++) {
        write(json, hits, group, hit);
        json.writeRaw('\n');
      }
    }
  }

  @Override
  public void writeContext(BlockHits hits, BlockHits.Group group, OutputStream out)
      throws IOException {
    context = true;
    write(hits, group, out);
    context = false;
  }

  @Override
  public void beginGroup(int number, OutputStream out) {
    group = number;
  }

  /**
   * One more object: {@code verdict}, {@code matches}, the nodes that are {@code missing}, if any,
   * and of a lookup by position where to read on.
   */
  @Override
  public void end(AnswerEnd end, OutputStream out) throws IOException {
    JsonLines.write(
        out,
        json -> {
          JsonLines.putVerdict(json, end.verdict(), end.matches());
          end.positions().ifPresent(positions -> write(json, positions));
        });
  }

  /** An object that is no record: {@code notice}. */
  public void notice(String text, OutputStream out) throws IOException {
    JsonLines.write(out, json -> json.writeStringProperty("notice", text));
  }

  private static void write(JsonGenerator json, ReadPositions positions) {
    json.writeStringProperty(ReadPositions.NEXT, positions.next().toString());
    positions
        .settled()
        .ifPresent(ulid -> json.writeStringProperty(ReadPositions.SETTLED, ulid.toString()));
  }

  private void write(JsonGenerator json, BlockHits hits, BlockHits.Group group, int hit) {
    Ulid ulid = hits.ulid(group, hit);
    json.writeStartObject();
    json.writeStringProperty("ulid", ulid.toString());
    json.writeStringProperty("time", ulid.time().toString());
    json.writeStringProperty("topic", hits.topic().name());
    if (!group.labels().isEmpty()) {
      json.writeObjectPropertyStart("labels");
      group.labels().pairs().forEach(json::writeStringProperty);
      json.writeEndObject();
    }
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
    parsedCut.ifPresent(cut -> writeParsed(json, record, cut));
    if (this.group > 0) { // context is asked for
      json.writeNumberProperty("group", this.group);
      json.writeBooleanProperty("context", context);
    }
    json.writeEndObject();
  }

  private void writeParsed(JsonGenerator json, ByteBuffer record, Counter cut) {
    int from = record.arrayOffset() + record.position();
    ParsedRecord parsed = ParsedRecord.of(record.array(), from, from + record.remaining(), extract);
    json.writeObjectPropertyStart("parsed");
    if (parsed.level() != Level.NONE) {
      json.writeStringProperty("level", parsed.level().word());
    }
    parsed.time().ifPresent(time -> json.writeStringProperty("time", time));
    parsed.message().ifPresent(message -> json.writeStringProperty("message", message));
    if (!parsed.fields().isEmpty()) {
      json.writeObjectPropertyStart("fields");
      parsed.fields().forEach(json::writeStringProperty);
      json.writeEndObject();
    }
    if (parsed.isCut()) {
      json.writeBooleanProperty("cut", true);
      cut.increment();
    }
    json.writeEndObject();
  }
}
