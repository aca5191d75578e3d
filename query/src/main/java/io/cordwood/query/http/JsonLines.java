package io.cordwood.query.http;

import io.cordwood.query.gather.MissingNode;
import io.cordwood.query.gather.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Writes JSON objects, one a line. */
public final class JsonLines {
  /** The media type. */
  public static final String TYPE = "application/x-ndjson";

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .rootValueSeparator("")
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  private JsonLines() {}

  /** Writes the properties of an object. */
  @FunctionalInterface
  public interface Properties {
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * For objects that are ended by their writer. To be closed, which leaves the stream open, and
   * flushes nothing: that is for who knows whether more comes at once.
   */
  public static JsonGenerator generator(OutputStream out) {
    return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** Writes one object. */
  public static void write(OutputStream out, Properties properties) throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      properties.write(json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  /** The last object of an answer: its verdict, and how many objects came before it. */
  public static void writeVerdict(Verdict verdict, long matches, OutputStream out)
      throws IOException {
    write(out, json -> putVerdict(json, verdict, matches));
  }

  /**
   * The last line of an answer in text, for who cannot see trailers: {@code # cordwood: }, as of
   * what else is no record, and the object that JSON ends with.
   */
  public static void writeVerdictToText(Verdict verdict, long matches, OutputStream out)
      throws IOException {
    out.write("# cordwood: ".getBytes(StandardCharsets.US_ASCII));
    writeVerdict(verdict, matches, out);
  }

  /** An answer that is a number: {@code count}, and what the last object of others has. */
  public static void writeCount(Verdict verdict, long count, OutputStream out) throws IOException {
    write(
        out,
        json -> {
          json.writeNumberProperty("count", count);
          putVerdict(json, verdict, count);
        });
  }

  /** {@code verdict}, {@code matches}, and the nodes that are {@code missing}, if any. */
  static void putVerdict(JsonGenerator json, Verdict verdict, long matches) {
    json.writeStringProperty("verdict", verdict.word());
    json.writeNumberProperty("matches", matches);
    verdict.doubt().ifPresent(why -> json.writeStringProperty("doubt", why));
    verdict
        .stopped()
        .ifPresent(stop -> {
          json.writeStringProperty("stopped", stop.limit().text());
          json.writeStringProperty("unsearched", stop.unsearched().toString());
        });
    if (!verdict.missing().isEmpty()) {
      putMissing(json, verdict);
    }
  }

  private static void putMissing(JsonGenerator json, Verdict verdict) {
    json.writeNumberProperty("missing_nodes", verdict.missing().size());
    json.writeArrayPropertyStart("missing");
    for (MissingNode missing : verdict.named()) {
      json.writeStartObject();
      json.writeStringProperty("node", missing.nodeId());
      json.writeStringProperty("tier", missing.tier().toString());
      json.writeStringProperty("times", missing.interval());
      json.writeStringProperty("reason", missing.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
