package io.cordwood.query.loki;

import io.cordwood.common.segment.Topic;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.LabelNames;
import io.cordwood.query.logql.Measured;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.FieldTally;
import io.cordwood.query.scan.GroupCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the numbers of a label from what nodes found. For the query's own thread.
 *
 * @param fields that the label may be of
 * @param by the grouping of the function itself
 */
record Measuring(
    LabelNames labels,
    List<GroupField> fields,
    Measured unwrap,
    Expr.@Nullable By by,
    Samples samples) {
  /** By these fields records are counted: those of labels, and those that are measured. */
  List<GroupField> all() {
    List<GroupField> all = new ArrayList<>(labels.fields());
    all.addAll(fields);
    return all;
  }

  /** Takes records one by one. */
  boolean records(BlockHits hits, BlockHits.Group group, Query query) {
    var finder = new FieldFinder(query.where().extract()).of(group.labels());
    List<GroupField> all = all();
    var cells = new Cells(hits.topic(), group);
    for (int hit = group.from(); hit < group.to(); hit++) {
      ByteBuffer record = hits.record(hit);
      int from = record.arrayOffset() + record.position();
      finder.in(record.array(), from, from + record.remaining());
      List<@Nullable String> values = new ArrayList<>();
      for (GroupField field : all) {
        byte[] value = field.value(finder, null);
        values.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
      }
      cells.add(values, 1);
    }
    return true;
  }

  /** Takes what was counted of a batch. */
  boolean tallies(BlockHits hits, BlockHits.Group group, Query query) throws IOException {
    var cells = new Cells(hits.topic(), group);
    for (int hit = group.from(); hit < group.to(); hit++) {
      FieldTally.read(hits.record(hit), query.grouping(), cells);
    }
    return true;
  }

  /** The number of a record's values; NaN if it has none. */
  private double number(List<@Nullable String> values) {
    for (@Nullable String value : values.subList(labels.fields().size(), values.size())) {
      if (value != null) {
        return unwrap.number(value);
      }
    }
    return Double.NaN;
  }

  private SortedMap<String, String> labels(
      Topic topic, BlockHits.Group batch, List<@Nullable String> own) {
    SortedMap<String, String> found = labels.of(topic, batch.labels(), own);
    if (by == null) {
      found.remove(unwrap.name());
    } else if (by.without()) {
      found.keySet().removeAll(by.names());
    }
    return found;
  }

  /** Records of a batch. Those of the same values are of the same numbers, which are kept. */
  private final class Cells implements GroupCounts {
    private final Topic topic;
    private final BlockHits.Group batch;
    private final int count = all().size();
    private final Map<List<@Nullable String>, Optional<SampleStatistics>> known = new HashMap<>();

    Cells(Topic topic, BlockHits.Group batch) {
      this.topic = topic;
      this.batch = batch;
    }

    @Override
    public void group(ByteBuffer key, long records) {
      add(GroupCounts.values(key, count), records);
    }

    void add(List<@Nullable String> values, long records) {
      double number = number(values);
      if (!Double.isNaN(number)) {
        List<@Nullable String> own = values.subList(0, labels.fields().size());
        Optional<SampleStatistics> numbers = known.get(own);
        if (numbers == null) {
          numbers = samples.of(labels(topic, batch, own), batch.first().millis());
          known.put(own, numbers);
        }
        numbers.ifPresent(n -> samples.add(n, batch.first().millis(), number, records));
      }
    }
  }
}
