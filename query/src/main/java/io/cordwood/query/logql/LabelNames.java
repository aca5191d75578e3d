package io.cordwood.query.logql;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels that series are to have, and the fields of records of which some of them are made.
 *
 * @param wanted those that are asked for
 * @param names those that they are made of
 * @param whole whether series have all labels of their streams, besides
 * @param ofFields for each name that a field may have, how many of the fields are its
 * @param fields by which records are counted
 * @param relabelling makes those that are asked for of the others
 */
public record LabelNames(
    Set<String> wanted,
    Set<String> names,
    boolean whole,
    Map<String, Integer> ofFields,
    List<GroupField> fields,
    Relabelling relabelling) {
  private static final String LEVEL = "level";
  private static final String UNKNOWN = "unknown";
  private static final Set<String> OF_TOPICS = Set.of(Streams.TOPIC, Streams.SERVICE);

  /** Whether no batch's labels need be known to tell which names are those of labels. */
  public static boolean areOfTopics(Set<String> names) {
    return names.stream().allMatch(n -> OF_TOPICS.contains(n) || n.equals(Streams.LEVEL));
  }

  /**
   * Decides what names are of.
   *
   * @param names those that the wanted ones are made of, by {@link Changes#sources}
   * @param changes by which fields of records may count before labels
   * @param known names of batches' labels, which count before what stands beside a record
   */
  public static LabelNames of(
      Set<String> wanted, Set<String> names, boolean whole, Changes changes, Set<String> known) {
    boolean parses = changes.parses();
    LineParts parts = changes.parts();
    Map<String, Integer> ofFields = new LinkedHashMap<>();
    List<GroupField> fields = new ArrayList<>();
    for (String name : names) {
      boolean isPart = parts.field(name).isPresent();
      boolean isLabel = OF_TOPICS.contains(name) || (!parses && known.contains(name));
      boolean isNone = name.startsWith("__error") || (!parses && name.equals(LEVEL));
      if (isPart || (!isLabel && !isNone)) {
        List<String> some =
            name.equals(Streams.LEVEL) ? List.of(LEVEL) : fields(name, parses, parts);
        ofFields.put(name, some.size());
        some.forEach(field -> fields.add(GroupField.parse(field, parts.extract())));
      }
    }
    checkNumber(fields.size());
    return new LabelNames(
        Set.copyOf(wanted),
        Set.copyOf(names),
        whole,
        ofFields,
        List.copyOf(fields),
        changes.relabelling());
  }

  /** Too many are more than a question of the engine has. */
  private static void checkNumber(int fields) {
    if (fields > Grouping.MAX_FIELDS) {
      throw LogqlException.tooMuch(
          0,
          "expected at most %d fields by which records are counted, found %d"
              .formatted(Grouping.MAX_FIELDS, fields));
    }
  }

  /** The fields that a label may be made of, in a query with these changes. */
  private static List<String> fields(String name, boolean parses, LineParts parts) {
    return parts
        .field(name)
        .map(List::of)
        .orElseGet(() -> parses ? Conditions.fields(name) : List.of(name));
  }

  /**
   * The fields that a label is measured of; the first that a record has counts.
   *
   * @throws LogqlException if they are too many together with those of series
   */
  public List<GroupField> measured(String name, Changes changes) {
    List<GroupField> all =
        fields(name, changes.parses(), changes.parts()).stream()
            .map(field -> GroupField.parse(field, changes.parts().extract()))
            .toList();
    checkNumber(fields.size() + all.size());
    return all;
  }

  /** Fields that other labels are made of are none of a stream's. */
  private boolean isOfWhole(String name, Set<String> made) {
    return whole && (made.contains(name) || !ofFields.containsKey(name));
  }

  /** Whether stages make the labels of series of others. */
  public boolean areMade() {
    return !relabelling.isNone();
  }

  /** Whether the level is all that records are looked at for. */
  public boolean isOfLevel() {
    return ofFields.keySet().equals(Set.of(Streams.LEVEL));
  }

  /** Whether all records are of one series. */
  public boolean isNone() {
    return wanted.isEmpty() && !whole;
  }

  /**
   * The labels of a series.
   *
   * @param values of the fields
   */
  public SortedMap<String, String> of(
      Topic topic, Labels labels, List<? extends @Nullable String> values) {
    SortedMap<String, String> stream = Streams.labels(topic, labels);
    SortedMap<String, String> all = new TreeMap<>();
    stream.forEach((name, value) -> {
      if (whole || (names.contains(name) && !ofFields.containsKey(name))) {
        all.put(name, value);
      }
    });
    int at = 0;
    for (Map.Entry<String, Integer> each : ofFields.entrySet()) {
      String value = each.getKey().equals(Streams.LEVEL) ? UNKNOWN : "";
      for (int end = at + each.getValue(); at < end; at++) {
        String found = values.get(at);
        value = found != null && (value.isEmpty() || value.equals(UNKNOWN)) ? found : value;
      }
      if (!value.isEmpty()) {
        all.put(each.getKey(), value);
      }
    }
    if (areMade()) {
      relabelling.apply(all);
      Set<String> made = relabelling.targets();
      all.keySet().removeIf(name -> !wanted.contains(name) && !isOfWhole(name, made));
    }
    all.values().removeIf(String::isEmpty);
    return all;
  }
}
