package io.cordwood.cli.records;

import io.cordwood.query.fields.SortKey;
import java.io.IOException;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lines in the order of a field's value, those without it last. If they are too many for {@value
 * #MAX_BYTES} bytes, those that come first are kept. One thread.
 */
final class SortedRows {
  static final int MAX_BYTES = 16 << 20;
  private static final int ROW_BYTES = 128;
  private static final String UP = ":asc";
  private static final String DOWN = ":desc";

  private final String field;
  private final Comparator<Row> order;

  /** The last one first. */
  private final PriorityQueue<Row> rows;

  private final int maxBytes;
  private long bytes;
  private long count;
  private long dropped;

  /** A line that waits. */
  private record Row(@Nullable SortKey key, long number, String prefix, byte[] line) {
    long size() {
      return ROW_BYTES + line.length + 2L * prefix.length();
    }
  }

  /** Gets the lines in their order. */
  interface Sink {
    void line(String prefix, byte[] line) throws IOException;
  }

  /**
   * @param sort a field, the greatest value first if {@code :desc} follows
   */
  SortedRows(String sort, int maxBytes) {
    boolean isDown = sort.endsWith(DOWN);
    this.field = isDown || sort.endsWith(UP) ? sort.substring(0, sort.lastIndexOf(':')) : sort;
    this.maxBytes = maxBytes;
    Comparator<SortKey> keys = isDown ? Comparator.reverseOrder() : Comparator.naturalOrder();
    this.order =
        Comparator.comparing(Row::key, Comparator.nullsLast(keys)).thenComparingLong(Row::number);
    this.rows = new PriorityQueue<>(order.reversed());
  }

  /** Whose value sorts. */
  String field() {
    return field;
  }

  /** Adds a line with the value of the field; null if it has none. */
  void add(@Nullable String value, String prefix, byte[] line) {
    var row = new Row(value == null ? null : SortKey.of(value), count++, prefix, line);
    rows.add(row);
    bytes += row.size();
    while (bytes > maxBytes && rows.size() > 1) {
      bytes -= rows.remove().size();
      dropped++;
    }
  }

  /** Gives all lines, of which there are none then; how many had no room. */
  long drain(Sink sink) throws IOException {
    for (Row row : rows.stream().sorted(order).toList()) {
      sink.line(row.prefix, row.line);
    }
    rows.clear();
    long left = dropped;
    dropped = 0;
    return left;
  }
}
