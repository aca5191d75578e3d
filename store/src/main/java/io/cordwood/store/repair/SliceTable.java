package io.cordwood.store.repair;

import io.cordwood.common.segment.Fingerprint;
import io.cordwood.store.ByTopic;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a store, by time slices. As text, with tabs between the columns:
 *
 * <pre>
 *   length   MILLIS                of a slice; slices begin at multiples of it
 *   horizon  INSTANT               what is older may be gone from this store
 *   kept     TOPICS  INSTANT       the same of some topics, if that is not the same for all; then
 *                                  the horizon is the earliest
 *   unknown  INSTANT  INSTANT      start of the first and of the last slice that it says nothing of
 *   slice    INSTANT  BATCHES  RECORDS  BYTES  FINGERPRINT
 *   end      SLICES                their number
 * </pre>
 *
 * @param horizons before which records of a topic may be gone from this store
 * @param copies whether the store can make copies; a header of the answer says if it cannot
 * @param slices by number: a slice's start divided by the length
 * @param unknown stretches of slices of which not all is known, apart from each other
 */
record SliceTable(
    long lengthMillis,
    ByTopic<Instant> horizons,
    boolean copies,
    NavigableMap<Long, Fingerprint> slices,
    List<Stretch> unknown) {
  /** Most lines that are read: a slice each ten minutes for eleven years. */
  static final int MAX_LINES = 600_000;

  private static final int MAX_LINE_CHARS = 200;
  private static final int FINGERPRINT_CHARS = 32;

  /** Slices from one number to another, both included. */
  record Stretch(long from, long to) {
    boolean contains(long slice) {
      return slice >= from && slice <= to;
    }
  }

  /** Before which no record may be there, whatever its topic. */
  Instant horizon() {
    return horizons.all().stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  boolean isKnown(long slice) {
    return unknown.stream().noneMatch(stretch -> stretch.contains(slice));
  }

  boolean knowsAllBefore(Instant time) {
    return unknown.stream().noneMatch(stretch -> start(stretch.from).isBefore(time));
  }

  Fingerprint get(long slice) {
    return slices.getOrDefault(slice, Fingerprint.EMPTY);
  }

  Instant start(long slice) {
    return Instant.ofEpochMilli(slice * lengthMillis);
  }

  String toText() {
    var text = new StringBuilder("length\t").append(lengthMillis);
    text.append("\nhorizon\t").append(horizon()).append('\n');
    if (!horizons.isOne()) {
      horizons
          .values()
          .forEach((topics, horizon) -> {
            text.append("kept\t").append(topics).append('\t').append(horizon).append('\n');
          });
    }
    for (Stretch stretch : unknown) {
      text.append("unknown\t").append(start(stretch.from)).append('\t');
      text.append(start(stretch.to)).append('\n');
    }
    slices.forEach((slice, print) -> {
      text.append("slice\t").append(start(slice)).append('\t').append(print.batches());
      text.append('\t').append(print.records()).append('\t').append(print.bytes());
      text.append("\t%016x%016x\n".formatted(print.high(), print.low()));
    });
    return text.append("end\t").append(slices.size()).append('\n').toString();
  }

  /**
   * Reads what {@link #toText} wrote.
   *
   * @param copies see there
   * @throws IOException also if it is anything else, or breaks off
   */
  static SliceTable parse(BufferedReader text, boolean copies) throws IOException {
    var parser = new Parser();
    String line = "";
    try {
      for (int i = 0; i < MAX_LINES; i++) {
        line = text.readLine();
        if (line == null || parser.accept(line.split("\t", -1))) {
          break;
        }
      }
      return parser.table(copies);
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw new IOException("expected a table of time slices, found " + shown(line), e);
    }
  }

  private static String shown(@Nullable String line) {
    String text = line == null ? "its end" : '"' + line + '"';
    return text.substring(0, Math.min(text.length(), MAX_LINE_CHARS)).replace('\t', ' ');
  }

  private static final class Parser {
    private final TreeMap<Long, Fingerprint> slices = new TreeMap<>();
    private final List<Stretch> unknown = new ArrayList<>();
    private final Map<String, Instant> kept = new TreeMap<>();
    private @Nullable Instant horizon;
    private long length;
    private boolean ended;

    /** Takes a line's columns; whether it was the last line. */
    boolean accept(String[] columns) {
      switch (columns[0] + columns.length) {
        case "length2" -> length = positive(Long.parseLong(columns[1]));
        case "horizon2" -> horizon = Instant.parse(columns[1]);
        case "kept3" -> kept.put(columns[1], Instant.parse(columns[2]));
        case "unknown3" -> unknown.add(new Stretch(slice(columns[1]), slice(columns[2])));
        case "slice6" -> slices.put(slice(columns[1]), fingerprint(columns));
        case "end2" -> ended = Integer.parseInt(columns[1]) == slices.size();
        default -> throw new IllegalArgumentException("an unknown line");
      }
      return columns[0].equals("end");
    }

    private long slice(String start) {
      return Math.floorDiv(Instant.parse(start).toEpochMilli(), positive(length));
    }

    private static long positive(long value) {
      if (value <= 0) {
        throw new IllegalArgumentException("a length of " + value);
      }
      return value;
    }

    private static Fingerprint fingerprint(String[] columns) {
      if (columns[5].length() != FINGERPRINT_CHARS) {
        throw new IllegalArgumentException("a fingerprint of another length");
      }
      return new Fingerprint(
          Long.parseLong(columns[2]),
          Long.parseLong(columns[3]),
          Long.parseLong(columns[4]),
          Long.parseUnsignedLong(columns[5], 0, 16, 16),
          Long.parseUnsignedLong(columns[5], 16, 32, 16));
    }

    SliceTable table(boolean copies) {
      Instant known = horizon;
      if (!ended || known == null || length == 0) {
        throw new IllegalArgumentException("a table that breaks off");
      }
      ByTopic<Instant> horizons = kept.isEmpty() ? ByTopic.all(known) : new ByTopic<>(kept);
      return new SliceTable(length, horizons, copies, slices, List.copyOf(unknown));
    }
  }
}
