package io.cordwood.query.loki;

import io.cordwood.common.segment.Topic;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.LabelNames;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.FieldTally;
import io.cordwood.query.scan.GroupCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
    Expr.Measured unwrap,
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
    for (int hit = group.from(); hit < group.to(); hit++) {
      ByteBuffer record = hits.record(hit);
      int from = record.arrayOffset() + record.position();
      finder.in(record.array(), from, from + record.remaining());
      List<@Nullable String> values = new ArrayList<>();
      for (GroupField field : all()) {
        byte[] value = field.value(finder, null);
        values.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
      }
      add(hits.topic(), group, values, 1);
    }
    return true;
  }

  /** Takes what was counted of a batch. */
  boolean tallies(BlockHits hits, BlockHits.Group group, Query query) throws IOException {
    for (int hit = group.from(); hit < group.to(); hit++) {
      FieldTally.read(hits.record(hit), query.grouping(), new Cells(hits.topic(), group));
    }
    return true;
  }

  private void add(
      Topic topic, BlockHits.Group group, List<@Nullable String> values, long records) {
    int own = labels.fields().size();
    for (@Nullable String value : values.subList(own, values.size())) {
      if (value != null) {
        double number = unwrap.number(value);
        if (!Double.isNaN(number)) {
          SortedMap<String, String> found =
              labels.of(topic, group.labels(), values.subList(0, own));
          if (by == null) {
            found.remove(unwrap.name());
          } else if (by.without()) {
            found.keySet().removeAll(by.names());
          }
          samples.add(found, group.first().millis(), number, records);
        }
        return;
      }
    }
  }

  /** The groups of a batch. */
  private final class Cells implements GroupCounts {
    private final Topic topic;
    private final BlockHits.Group batch;

    Cells(Topic topic, BlockHits.Group batch) {
      this.topic = topic;
      this.batch = batch;
    }

    @Override
    public void group(ByteBuffer key, long records) {
      int count = labels.fields().size() + fields.size();
      add(topic, batch, GroupCounts.values(key, count), records);
    }
  }
}
