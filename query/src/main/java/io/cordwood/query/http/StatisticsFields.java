package io.cordwood.query.http;

import io.cordwood.query.result.ScanStats.Snapshot;
import java.util.function.BiConsumer;

/** Statistics as fields of an HTTP answer, in its head or its tail. */
public final class StatisticsFields {
  private static final String PREFIX = "cordwood-";

  private StatisticsFields() {}

  public static void all(Snapshot stats, BiConsumer<String, String> field) {
    matches(stats, field);
    each(stats, field);
  }

  /** All but the matches. */
  public static void each(Snapshot stats, BiConsumer<String, String> field) {
    set(field, "segments", stats.segments());
    set(field, "blocks", stats.blocks().all());
    set(field, "blocks-skipped", stats.blocks().skipped());
    set(field, "blocks-read", stats.blocks().read());
    set(field, "blocks-damaged", stats.blocks().damaged());
    set(field, "bytes-in-range", stats.bytesInRange());
    set(field, "records-in-range", stats.recordsInRange());
    set(field, "bytes-read", stats.bytesRead());
    set(field, "bytes-scanned", stats.bytesScanned());
  }

  public static void matches(Snapshot stats, BiConsumer<String, String> field) {
    set(field, "matches", stats.matches());
  }

  private static void set(BiConsumer<String, String> field, String name, long value) {
    field.accept(PREFIX + name, Long.toString(value));
  }
}
