package io.cordwood.query.loki;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.logql.LabelNames;
import io.cordwood.query.result.BlockHits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of records, by the labels of series. Those of a batch's records of the same values are
 * added at once. For the query's own thread.
 */
final class ByteCounts {
  private final LabelNames names;
  private final FieldFinder finder;
  private final Sums sums;
  private final Map<List<@Nullable String>, long[]> byValues = new HashMap<>();

  ByteCounts(LabelNames names, Extract extract, Sums sums) {
    this.names = names;
    this.finder = new FieldFinder(extract);
    this.sums = sums;
  }

  /** Adds the answer to a query for records. */
  boolean add(BlockHits hits, BlockHits.Group group) {
    byValues.clear();
    for (int hit = group.from(); hit < group.to(); hit++) {
      long[] bytes = byValues.computeIfAbsent(values(hits, group, hit), _ -> new long[1]);
      bytes[0] += hits.length(hit) - 1L;
    }
    long millis = group.first().millis();
    byValues.forEach((values, bytes) ->
        sums.add(names.of(hits.topic(), group.labels(), values), millis, bytes[0]));
    return true;
  }

  private List<@Nullable String> values(BlockHits hits, BlockHits.Group group, int hit) {
    if (names.fields().isEmpty()) {
      return List.of();
    }
    List<@Nullable String> values = new ArrayList<>();
    ByteBuffer record = hits.record(hit);
    int from = record.arrayOffset() + record.position();
    finder.of(group.labels()).in(record.array(), from, from + record.remaining());
    for (GroupField field : names.fields()) {
      byte[] value = field.value(finder, null);
      values.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
    }
    return values;
  }
}
