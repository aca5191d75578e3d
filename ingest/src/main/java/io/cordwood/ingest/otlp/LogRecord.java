package io.cordwood.ingest.otlp;

import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.protobuf.ProtoReader;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Set;

/**
 * One log record: its text, its time, and what stands beside it. Reusable; for one thread.
 *
 * <pre>
 *   1 time  11 observed time  2 severity number  3 severity text  5 body  6 attributes
 *   7 dropped attributes  8 flags  9 trace id  10 span id  12 event name
 * </pre>
 */
final class LogRecord {
  /** Names beside a text that are not those of attributes; docs/format/foreign.md has them. */
  private static final Set<String> OWN =
      Set.of(
          "time",
          "severity",
          "severity_number",
          "trace_id",
          "span_id",
          "logger",
          "scope_version",
          "scope_attributes",
          "scope_dropped_attributes_count",
          "event_name",
          "flags",
          "observed_time",
          "body",
          "dropped_attributes_count",
          "escapes");

  private static final String PREFIX = "attr.";
  private static final int ATTRIBUTES = 6;

  /** An observed time that is nearer to the other one says nothing of interest. */
  private static final long NEAR_NANOS = 1_000_000_000;

  private static final HexFormat HEX = HexFormat.of();

  private final Beside json = new Beside();
  private byte[] message = {};
  private int messageFrom;
  private int messageTo;
  private byte[] text = {};
  private int textFrom;
  private int textTo;
  private boolean isText;
  private long nanos;
  private long observedNanos;
  private int severityNumber;
  private String severity = "";
  private String traceId = "";
  private String spanId = "";
  private String eventName = "";
  private long flags;
  private long dropped;
  private boolean hasAttributes;

  /** Turns to a record, whose bytes must not change meanwhile. */
  void read(byte[] bytes, int from, int to) throws IOException {
    clear(bytes, from, to);
    var in = new ProtoReader(bytes, from, to);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> nanos = in.fixed64();
        case 2 -> severityNumber = (int) in.varint();
        case 3 -> severity = in.text();
        case 5 -> readBody(in);
        case ATTRIBUTES -> hasAttributes = true;
        case 7 -> dropped = in.varint() & 0xffff_ffffL;
        case 8 -> flags = in.fixed32() & 0xffff_ffffL;
        case 9 -> traceId = id(in);
        case 10 -> spanId = id(in);
        case 11 -> observedNanos = in.fixed64();
        case 12 -> eventName = in.text();
        default -> {}
      }
    }
  }

  private void clear(byte[] bytes, int from, int to) {
    message = bytes;
    messageFrom = from;
    messageTo = to;
    text = bytes;
    textFrom = 0;
    textTo = 0;
    isText = true;
    nanos = 0;
    observedNanos = 0;
    severityNumber = 0;
    severity = "";
    traceId = "";
    spanId = "";
    eventName = "";
    flags = 0;
    dropped = 0;
    hasAttributes = false;
  }

  /** One of zeros is none. */
  private static String id(ProtoReader in) throws IOException {
    in.load();
    for (int at = in.from(); at < in.to(); at++) {
      if (in.buffer()[at] != 0) {
        return HEX.formatHex(in.buffer(), in.from(), in.to());
      }
    }
    return "";
  }

  /** A text stays where it is; all else is JSON. */
  private void readBody(ProtoReader record) throws IOException {
    record.load();
    ProtoReader in = record.nested();
    textFrom = 0;
    textTo = 0;
    isText = true;
    if (record.from() == record.to()) {
      return;
    }
    if (in.next() && in.field() == AnyValue.TEXT) {
      in.load();
      text = in.buffer();
      textFrom = in.from();
      textTo = in.to();
      return;
    }
    AnyValue.writeAll(record.nested(), json.clear());
    isText = false;
    text = json.value();
    textTo = text.length;
  }

  /** The bytes that have its text. */
  byte[] text() {
    return text;
  }

  int textFrom() {
    return textFrom;
  }

  int textTo() {
    return textTo;
  }

  /** The time that it has, or else the one at which it was seen. */
  EventTime time() {
    return EventTime.ofUnsignedNanos(nanos == 0 ? observedNanos : nanos);
  }

  /**
   * Writes what stands beside the text.
   *
   * @param scope what does so for all records of its scope
   */
  void writeBeside(Beside scope, Beside out) throws IOException {
    int implied = Severity.number(severity);
    addIfAny("severity", severity, out);
    addUnless(implied, "severity_number", severityNumber, out);
    addIfAny("trace_id", traceId, out);
    addIfAny("span_id", spanId, out);
    out.addAll(scope);
    addIfAny("event_name", eventName, out);
    addUnless(0, "flags", flags, out);
    if (nanos != 0 && observedNanos != 0 && Math.abs(nanos - observedNanos) > NEAR_NANOS) {
      out.add("observed_time", EventTime.ofUnsignedNanos(observedNanos).toString());
    }
    if (!isText) {
      out.add("body", "json");
    }
    if (hasAttributes) {
      writeAttributes(out);
    }
    addUnless(0, "dropped_attributes_count", dropped, out);
  }

  private static void addIfAny(String name, String value, Beside out) {
    if (!value.isEmpty()) {
      out.add(name, value);
    }
  }

  private static void addUnless(long usual, String name, long value, Beside out) {
    if (value != usual) {
      out.add(name, value);
    }
  }

  private void writeAttributes(Beside out) throws IOException {
    var in = new ProtoReader(message, messageFrom, messageTo);
    while (in.next()) {
      if (in.field() == ATTRIBUTES) {
        AnyValue.pair(in, LogRecord::name, out);
      }
    }
  }

  private static void name(ProtoReader in, Beside out) {
    if (isFree(in.buffer(), in.from(), in.to())) {
      out.name(in.buffer(), in.from(), in.to());
      return;
    }
    String name = AnyValue.textOf(in);
    out.name(name.startsWith(PREFIX) || OWN.contains(name) ? PREFIX + name : name);
  }

  /** Most attributes have a dot in their names, and the own names have none. */
  private static boolean isFree(byte[] bytes, int from, int to) {
    boolean hasDot = false;
    for (int at = from; at < to && !hasDot; at++) {
      hasDot = bytes[at] == '.';
    }
    return hasDot && bytes[from] != 'a';
  }
}
