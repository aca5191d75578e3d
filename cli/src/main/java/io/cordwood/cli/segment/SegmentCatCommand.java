package io.cordwood.cli.segment;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.json.Json;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** {@code cordwood segment cat}: the records of segment files, in the order of the file. */
final class SegmentCatCommand implements Command {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SegmentFileArguments files = new SegmentFileArguments();

  private boolean ulid;

  private boolean topic;

  private boolean labels;

  private boolean nul;

  @Override
  public void list(FlagList list) {
    list.description(
        "Write the records of segments, each ended by a line feed, in the order of the file: "
            + "in an ingest segment as they arrived, in a store segment by topic and time.");
    list.footer(
        "", "Exit code 0; 1 if a file is damaged (its intact records are written); 2 on error.");
    list.sorted();
    list.addAll(files);
    list.flag("--ulid")
        .help("Put each record's ULID and a space before it.")
        .on(value -> ulid = value);
    list.flag("--topic")
        .help("Put each record's topic and a space before it.")
        .on(value -> topic = value);
    list.flag("--labels")
        .help("Put each record's labels, as JSON, and a space before it.")
        .on(value -> labels = value);
    list.flag("-0", "--null")
        .help("End each record with a NUL byte, as a record may hold line feeds.")
        .on(value -> nul = value);
  }

  private boolean damaged;

  @Override
  public Integer call() throws Exception {
    try (OutputStream out = new BufferedOutputStream(new StandardOutput(), BUFFER_BYTES)) {
      return files.inspect(file -> cat(file, out));
    } catch (StandardOutput.ClosedException e) {
      // The reader has enough.
      return damaged ? Programs.NONE : Programs.SUCCESS;
    }
  }

  private boolean cat(Path file, OutputStream out) throws IOException {
    try (SegmentReader reader = SegmentReader.open(file)) {
      reader.visit(
          new SegmentReader.Visitor() {
            @Override
            public void batch(Batch batch) throws IOException {
              write(batch, out);
            }

            @Override
            public void damage(CorruptException damage) {
              damaged = true;
              System.err.println("cordwood segment cat: " + file + ": " + damage.getMessage());
            }
          });
    }
    return !damaged;
  }

  private void write(Batch batch, OutputStream out) throws IOException {
    ByteBuffer payload = batch.payload();
    byte[] bytes = new byte[payload.remaining()];
    payload.get(payload.position(), bytes);
    String json = labels ? json(batch.labels()) + " " : "";
    int from = 0;
    for (int i = 0; i < batch.records(); i++) {
      int to = from;
      while (bytes[to] != batch.delimiter().value()) {
        to++;
      }
      writePrefix(batch, i, out);
      out.write(json.getBytes(StandardCharsets.UTF_8));
      out.write(bytes, from, to - from);
      out.write(nul ? 0 : '\n');
      from = to + 1;
    }
  }

  private void writePrefix(Batch batch, int position, OutputStream out) throws IOException {
    if (ulid) {
      out.write((batch.first().plus(position) + " ").getBytes(StandardCharsets.US_ASCII));
    }
    if (topic) {
      out.write((batch.topic() + " ").getBytes(StandardCharsets.US_ASCII));
    }
  }

  static String json(Labels labels) {
    return Json.object(json -> labels.pairs().forEach(json::writeStringProperty));
  }
}
