package io.cordwood.store.repair;

import io.cordwood.common.http.KnownParts;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.store.ByTopic;
import io.cordwood.store.repair.SliceTable.Stretch;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SliceTable} as text, with tabs between the columns:
 *
 * <pre>
 *   length   MILLIS                of a slice; slices begin at multiples of it
 *   horizon  INSTANT               what is older may be gone from this store
 *   kept     TOPICS  INSTANT       the same of some topics, if that is not the same for all; then
 *                                  the horizon is the earliest
 *   unknown  INSTANT  INSTANT      start of the first and of the last slice that it says nothing of
 *   parts    COUNT  SUM  PART,…    only if the one who asks says in {@link KnownParts} what it has
 *                                  of the table already: the parts that differ, whose slices
 *                                  follow, and the sum of all slices of the table
 *   slice    INSTANT  BATCHES  RECORDS  BYTES  FINGERPRINT
 *   end      SLICES                the number of those above
 * </pre>
 */
final class SliceTableText {
  /** Most lines that are read: a slice each ten minutes for eleven years. */
  static final int MAX_LINES = 600_000;

  private static final int MAX_LINE_CHARS = 200;
  private static final int FINGERPRINT_CHARS = 32;

  private SliceTableText() {}

  /**
   * The table as text.
   *
   * @param known parts of it that the one who asks has
   */
  static String of(SliceTable table, Optional<KnownParts> known) {
    var text = new StringBuilder("length\t").append(table.lengthMillis());
    text.append("\nhorizon\t").append(table.horizon()).append('\n');
    if (!table.horizons().isOne()) {
      table
          .horizons()
          .values()
          .forEach((topics, horizon) -> {
            text.append("kept\t").append(topics).append('\t').append(horizon).append('\n');
          });
    }
    for (Stretch stretch : table.unknown()) {
      text.append("unknown\t").append(table.start(stretch.from())).append('\t');
      text.append(table.start(stretch.to())).append('\n');
    }
    Map<Long, Fingerprint> told = table.slices();
    if (known.isPresent()) {
      KnownParts own = table.parts(known.get().count());
      BitSet differing = differing(own, known.get());
      append(text, own, differing);
      told = new TreeMap<>(told);
      told.keySet().removeIf(slice -> !differing.get(own.part(slice)));
    }
    told.forEach((slice, print) -> append(text, table.start(slice), print));
    return text.append("end\t").append(told.size()).append('\n').toString();
  }

  private static BitSet differing(KnownParts own, KnownParts known) {
    var differing = new BitSet();
    for (int part = 0; part < own.count(); part++) {
      differing.set(part, !own.isSame(part, known));
    }
    return differing;
  }

  private static void append(StringBuilder text, KnownParts own, BitSet differing) {
    text.append("parts\t").append(own.count()).append("\t%016x\t".formatted(own.total()));
    text.append(differing.stream().mapToObj(String::valueOf).collect(Collectors.joining(",")));
    text.append('\n');
  }

  private static void append(StringBuilder text, Instant start, Fingerprint print) {
    text.append("slice\t").append(start).append('\t').append(print.batches());
    text.append('\t').append(print.records()).append('\t').append(print.bytes());
    text.append("\t%016x%016x\n".formatted(print.high(), print.low()));
  }

  /**
   * Reads what {@link #of} wrote.
   *
   * @param copies as of {@link SliceTable}
   * @param known the table of which the text says only what is new; null if there is none
   * @throws IOException also if it is anything else, breaks off, or does not fit what is known
   */
  static SliceTable parse(BufferedReader text, boolean copies, @Nullable SliceTable known)
      throws IOException {
    var parser = new Parser(known);
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
    private final @Nullable SliceTable known;
    private final TreeMap<Long, Fingerprint> slices = new TreeMap<>();
    private final List<Stretch> unknown = new ArrayList<>();
    private final Map<String, Instant> kept = new TreeMap<>();
    private @Nullable Parts parts;
    private @Nullable Instant horizon;
    private long length;
    private boolean ended;

    /** The parts of a table that a text has. */
    private record Parts(int count, long total, BitSet told) {}

    Parser(@Nullable SliceTable known) {
      this.known = known;
    }

    /** Takes a line's columns; whether it was the last line. */
    boolean accept(String[] columns) {
      switch (columns[0] + columns.length) {
        case "length2" -> length = positive(Long.parseLong(columns[1]));
        case "horizon2" -> horizon = Instant.parse(columns[1]);
        case "kept3" -> kept.put(columns[1], Instant.parse(columns[2]));
        case "unknown3" -> unknown.add(new Stretch(slice(columns[1]), slice(columns[2])));
        case "parts4" -> parts = parts(columns);
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

    private static Parts parts(String[] columns) {
      int count = Integer.parseInt(columns[1]);
      if (count < 1 || count > KnownParts.MOST) {
        throw new IllegalArgumentException(count + " parts");
      }
      var told = new BitSet();
      Stream.of(columns[3].split(","))
          .filter(number -> !number.isEmpty())
          .forEach(number -> told.set(Integer.parseInt(number)));
      return new Parts(count, Long.parseUnsignedLong(columns[2], 16), told);
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
      Instant since = horizon;
      if (!ended || since == null || length == 0) {
        throw new IllegalArgumentException("a table that breaks off");
      }
      ByTopic<Instant> horizons = kept.isEmpty() ? ByTopic.all(since) : new ByTopic<>(kept);
      Parts said = parts;
      if (said == null) {
        return new SliceTable(length, horizons, copies, slices, List.copyOf(unknown));
      }
      SliceTable before = known;
      if (before == null || before.lengthMillis() != length) {
        throw new IllegalArgumentException("parts of a table that is not known");
      }
      boolean same = said.told.isEmpty();
      if (!same) {
        addKnown(before, said);
      }
      var table =
          new SliceTable(
              length, horizons, copies, same ? before.slices() : slices, List.copyOf(unknown));
      if (table.parts(said.count).total() != said.total) {
        throw new IllegalArgumentException("parts of another table");
      }
      return table;
    }

    private void addKnown(SliceTable before, Parts said) {
      before
          .slices()
          .forEach((slice, print) -> {
            if (!said.told.get(Math.floorMod(slice, said.count))) {
              slices.put(slice, print);
            }
          });
    }
  }
}
