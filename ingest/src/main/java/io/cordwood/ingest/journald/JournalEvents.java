package io.cordwood.ingest.journald;

import io.cordwood.common.wire.JournalFields;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.push.PushedRecords;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes events of entries of the journal: the text is MESSAGE, some fields are labels, the rest
 * stands beside the text; a field that occurs several times is an array.
 *
 * <p>Entries of one millisecond that follow each other share a key, which is the cursor of the
 * first of them. So what is uploaded again is stored once, but for a millisecond in whose midst the
 * upload began again.
 */
final class JournalEvents {
  private static final long MICROS = 1_000_000;
  private static final int NANOS_OF_MICRO = 1000;
  private static final int MICROS_OF_MILLI = 1000;
  private static final int MOST_DIGITS = 18;

  private final PushedRecords records;
  private final EventOrigins origins;
  private final Events events;
  private final Beside beside = new Beside();
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final boolean[] used = new boolean[JournalStream.MAX_FIELDS];
  private long runMillis = Long.MIN_VALUE;

  JournalEvents(Intake intake, PushedRecords records, EventOrigins origins) {
    this.records = records;
    this.origins = origins;
    this.events = new Events(intake, records);
  }

  /** Adds the entry that was read last. */
  void add(JournalStream entry) throws RefusedException {
    labels.clear();
    beside.clear();
    int message = -1;
    long micros = -1;
    byte[] cursor = {};
    for (int i = 0; i < entry.fields(); i++) {
      String name = entry.name(i);
      boolean isOne = isOne(entry, i);
      used[i] = false;
      if (name.equals(JournalFields.MESSAGE) && message < 0) {
        message = i;
        used[i] = true;
      } else if (name.equals(JournalFields.TIME) && isOne) {
        micros = number(entry, i);
        used[i] = micros >= 0;
      } else if (name.equals(JournalFields.CURSOR)) {
        cursor = entry.value(i);
      } else if (isOne && JournalFields.LABELS.containsKey(name) && entry.isUtf8(i)) {
        used[i] = labels.putIfAbsent(label(name), text(entry, i)) == null;
      }
    }
    writeRest(entry);
    key(cursor, micros);
    int from = message < 0 ? 0 : entry.valueFrom(message);
    int to = message < 0 ? 0 : entry.valueTo(message);
    events.add(origins.of(labels), time(micros), entry.array(), from, to, beside);
  }

  private static String label(String field) {
    return JournalFields.LABELS.getOrDefault(field, field);
  }

  private static String text(JournalStream entry, int field) {
    return new String(entry.value(field), StandardCharsets.UTF_8);
  }

  private static boolean isOne(JournalStream entry, int field) {
    for (int i = 0; i < entry.fields(); i++) {
      if (i != field && entry.haveOneName(i, field)) {
        return false;
      }
    }
    return true;
  }

  /** Negative if it is none. */
  private static long number(JournalStream entry, int field) {
    String text = text(entry, field);
    return text.matches("[0-9]{1," + MOST_DIGITS + "}") ? Long.parseLong(text) : -1;
  }

  private static EventTime time(long micros) {
    return micros < 0
        ? EventTime.NONE
        : new EventTime(micros / MICROS, (int) (micros % MICROS) * NANOS_OF_MICRO);
  }

  private void writeRest(JournalStream entry) {
    for (int i = 0; i < entry.fields(); i++) {
      if (!used[i]) {
        write(entry, i);
      }
    }
  }

  /** Writes a field, with all others of its name that are not written. */
  private void write(JournalStream entry, int field) {
    beside.name(entry.array(), entry.nameFrom(field), entry.nameTo(field));
    boolean isArray = false;
    for (int i = field + 1; i < entry.fields() && !isArray; i++) {
      isArray = !used[i] && entry.haveOneName(i, field);
    }
    if (isArray) {
      beside.begin('[');
    }
    for (int i = field; i < entry.fields(); i++) {
      if (!used[i] && entry.haveOneName(i, field)) {
        beside.bytes(entry.array(), entry.valueFrom(i), entry.valueTo(i));
        used[i] = true;
      }
    }
    if (isArray) {
      beside.end(']');
    }
  }

  private void key(byte[] cursor, long micros) {
    long millis = micros / MICROS_OF_MILLI;
    if (cursor.length == 0) {
      records.unkeyed();
      runMillis = Long.MIN_VALUE;
    } else if (millis != runMillis) {
      records.keyed(cursor);
      runMillis = millis;
    }
  }
}
