package io.cordwood.query.loki;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.fields.Level;
import io.cordwood.query.scan.GroupCounts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** How many records had which shape, between the points of a grid. For the query's own thread. */
final class Shapes {
  /** The most that are answered: those of the most records. */
  private static final int MAX_ANSWERED = 1000;

  /** The memory of those that are told apart; records of others count as one. */
  private static final long MAX_BYTES = 32L << 20;

  private static final String OTHERS = "<_>";

  /** Stands in a shape for numbers, ids and times. */
  private static final Pattern MASKS = Pattern.compile("(?:‹[a-z]+›)+");

  /** The text of a shape before its message, which a line has in another place. */
  private static final Pattern LEVEL =
      Pattern.compile(
          Stream.of(Level.values())
              .map(Level::word)
              .collect(Collectors.joining("|", "\\A(?:", "): ")));

  private final Grid grid;
  private final Map<String, long[]> byShape = new HashMap<>();

  Shapes(Grid grid) {
    this.grid = grid;
  }

  /** Takes the shapes of records of one time. */
  GroupCounts at(Ulid time) {
    long nanos = time.millis() * LokiTime.NANOS_OF_MILLI - grid.startNanos();
    int point = Math.clamp(nanos / grid.stepNanos(), 0, grid.points() - 1);
    return (key, records) -> {
      String shape = GroupCounts.values(key, 1).getFirst();
      add(shape == null ? "" : shape, point, records);
    };
  }

  private void add(String shape, int point, long records) {
    String pattern = ofLines(shape);
    long most = MAX_BYTES / (Long.BYTES * (grid.points() + 100L));
    boolean isKnown = byShape.containsKey(pattern) || byShape.size() < most;
    byShape.computeIfAbsent(isKnown ? pattern : OTHERS, _ -> new long[grid.points()])[point] +=
        records;
  }

  /** A pattern that the filter {@code |>} finds lines with such a message by. */
  private static String ofLines(String shape) {
    String message = LEVEL.matcher(shape).replaceFirst("");
    return MASKS.matcher("‹any›" + message + "‹any›").replaceAll(OTHERS);
  }

  void write(JsonGenerator json) {
    json.writeStartArray();
    byShape.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, long[]> each) -> -Arrays.stream(each.getValue()).sum())
                .thenComparing(Map.Entry::getKey))
        .limit(MAX_ANSWERED)
        .forEach(each -> write(each.getKey(), each.getValue(), json));
    json.writeEndArray();
  }

  private void write(String pattern, long[] records, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("pattern", pattern);
    json.writeArrayPropertyStart("samples");
    for (int point = 0; point < records.length; point++) {
      if (records[point] > 0) {
        json.writeStartArray();
        json.writeNumber(grid.nanos(point) / LokiTime.NANOS_OF_SECOND);
        json.writeNumber(records[point]);
        json.writeEndArray();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
