package io.cordwood.query.loki;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.histogram.IndexCount;
import io.cordwood.query.histogram.LabelsApi;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.LabelNames;
import io.cordwood.query.logql.Measured;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.FieldTally;
import io.cordwood.query.scan.GroupCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Counts records by time and labels. For the query's own thread. */
final class Counting {
  private final Questions questions;
  private final MultiPassQuery passes;
  private final Grid grid;
  private final SeriesMemory memory;

  Counting(Questions questions, Grid grid, SeriesMemory memory) {
    this.questions = questions;
    this.passes = questions.passes();
    this.grid = grid;
    this.memory = memory;
  }

  /** The memory of all that is counted. */
  SeriesMemory memory() {
    return memory;
  }

  /**
   * Counts.
   *
   * @param names of labels that series have
   * @param whole whether they have all labels of their streams, besides
   */
  List<Series> count(Expr.Range range, Set<String> names, boolean whole) throws IOException {
    return range.unwrap().isPresent()
        ? measured(range, range.unwrap().get(), names, whole)
        : counted(range, names, whole);
  }

  private List<Series> counted(Expr.Range range, Set<String> names, boolean whole)
      throws IOException {
    Selected selected = LokiParams.checked("query", () -> selected(range));
    Grid points = grid.before(range.offset());
    Optional<UlidRange> records = points.records(range.range());
    var sums = new Sums(points, range.range(), memory);
    if (records.isPresent()) {
      LabelNames labels = labels(selected, names, whole, records.get());
      for (Query query : questions.of(selected, records.get(), Detail.COUNT)) {
        count(query, range, labels, sums);
      }
    }
    return sums.series(range.function().perSecond());
  }

  private static Selected selected(Expr.Range range) {
    Selected selected = Selected.of(range.logs());
    if (range.function().ofBytes()) {
      selected.changes().checkLinesAreKept(range.function());
    }
    return selected;
  }

  /** Without labels that a function's own grouping leaves out. */
  private List<Series> measured(Expr.Range range, Measured unwrap, Set<String> names, boolean whole)
      throws IOException {
    Selected selected = LokiParams.checked("query", () -> Selected.of(range.logs()));
    Grid points = grid.before(range.offset());
    Optional<UlidRange> records = points.records(range.range());
    Expr.By by = range.by().orElse(null);
    boolean isWhole = by == null ? whole : by.without();
    Set<String> wanted = by == null ? names : by.without() ? Set.of() : Set.copyOf(by.names());
    var samples = new Samples(points, range, memory);
    if (records.isPresent()) {
      LabelNames labels = labels(selected, wanted, isWhole, records.get());
      List<GroupField> fields =
          LokiParams.checked("query", () -> labels.measured(unwrap.name(), selected.changes()));
      var measuring = new Measuring(labels, fields, unwrap, by, samples);
      for (Query query : questions.of(selected.having(fields), records.get(), Detail.COUNT)) {
        if (range.function().needsOrder()) {
          passes.gather(
              query.with(Detail.BYTES), (hits, group) -> measuring.records(hits, group, query));
        } else {
          Query tallied = query.with(Detail.FIELD_GROUPS).groupedBy(Grouping.by(measuring.all()));
          passes.gather(tallied, (hits, group) -> measuring.tallies(hits, group, tallied));
        }
      }
    }
    return samples.series();
  }

  private LabelNames labels(Selected selected, Set<String> names, boolean whole, UlidRange range)
      throws IOException {
    Set<String> sources = selected.changes().sources(names, whole);
    Set<String> known =
        selected.changes().parses() || LabelNames.areOfTopics(sources)
            ? Set.of()
            : LabelsApi.gather(passes, questions.everything(range, Detail.LABELS), Optional.empty())
                .keySet();
    return LokiParams.checked(
        "query", () -> LabelNames.of(names, sources, whole, selected.changes(), known));
  }

  private void count(Query query, Expr.Range range, LabelNames labels, Sums sums)
      throws IOException {
    if (range.function().ofBytes()) {
      byFields(query.with(Detail.FIELD_BYTES), labels, sums);
    } else if (labels.isOfLevel()) {
      var levels = new LevelCounts(new KnownSeries(labels), sums);
      passes.gather(query.with(Detail.LEVELS), levels::add);
    } else if (!labels.fields().isEmpty()) {
      byFields(query.with(Detail.FIELD_GROUPS), labels, sums);
    } else if (labels.isNone() && query.matchesEverything()) {
      IndexCount.run(query, passes, sums.tally());
    } else {
      var series = new KnownSeries(labels);
      passes.gather(
          query,
          (hits, group) -> {
            var ofBatch = series.of(hits.topic(), group.labels(), List.of());
            sums.add(ofBatch, group.first().millis(), group.size());
            return true;
          });
    }
  }

  private void byFields(Query counted, LabelNames labels, Sums sums) throws IOException {
    Query query = counted.groupedBy(Grouping.by(labels.fields()));
    passes.gather(
        query,
        (hits, group) -> {
          var cells = new Cells(labels, sums, hits.topic(), group);
          for (int hit = group.from(); hit < group.to(); hit++) {
            FieldTally.read(hits.record(hit), query.grouping(), cells);
          }
          return true;
        });
  }

  /** The groups of a batch. */
  private record Cells(LabelNames names, Sums sums, Topic topic, BlockHits.Group group)
      implements GroupCounts {
    @Override
    public void group(ByteBuffer key, long count) {
      var values = GroupCounts.values(key, names.fields().size());
      sums.add(names.of(topic, group.labels(), values), group.first().millis(), count);
    }
  }
}
