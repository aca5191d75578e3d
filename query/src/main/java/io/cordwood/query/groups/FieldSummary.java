package io.cordwood.query.groups;

import io.cordwood.query.groups.Groups.Group;
import io.cordwood.query.http.TableNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** A field, with the values that records have in it. One thread. */
final class FieldSummary {
  static final List<String> NAMES =
      List.of("field", "records", "percent", "kind", "distinct", "examples");

  private final String name;
  private final double allRecords;
  private final Map<String, Long> kinds = new LinkedHashMap<>();
  private final Set<String> examples = new LinkedHashSet<>();
  private long records;
  private long distinct;
  private boolean isExact = true;

  private FieldSummary(String name, double allRecords) {
    this.name = name;
    this.allRecords = allRecords;
  }

  /** Those of the most records first. */
  static List<FieldSummary> of(Groups groups) {
    List<Group> all = groups.sorted(Groups.usualOrder());
    double records =
        all.stream().filter(each -> name(each) == null).mapToLong(Group::records).sum();
    Map<String, FieldSummary> byName = new LinkedHashMap<>();
    for (Group each : all) {
      String name = name(each);
      if (name != null) {
        byName.computeIfAbsent(name, _ -> new FieldSummary(name, records)).add(each);
      }
    }
    List<FieldSummary> sorted = new ArrayList<>(byName.values());
    sorted.sort(
        Comparator.comparingLong((FieldSummary each) -> each.records)
            .reversed()
            .thenComparing(each -> each.name));
    return sorted;
  }

  /** Null if the group has all records. */
  private static @Nullable String name(Group group) {
    return group.values().getFirst();
  }

  private void add(Group ofKind) {
    kinds.put(String.valueOf(ofKind.values().getLast()), ofKind.records());
    records += ofKind.records();
    examples.addAll(ofKind.examples());
    distinct += Arrays.stream(ofKind.sets()).mapToLong(Distinct::count).sum();
    isExact &= Arrays.stream(ofKind.sets()).allMatch(Distinct::isExact);
  }

  private @Nullable Object percent() {
    return TableNumbers.rounded(100 * records / allRecords);
  }

  List<@Nullable Object> columns() {
    List<@Nullable Object> columns = new ArrayList<>();
    columns.add(name);
    columns.add(records);
    columns.add(percent());
    columns.add(String.join(", ", kinds.keySet()));
    columns.add(isExact ? (Object) distinct : new Estimate(distinct));
    columns.add(String.join(", ", examples));
    return columns;
  }

  void write(JsonGenerator json) {
    json.writeStringProperty("field", name);
    json.writeNumberProperty("records", records);
    json.writeObjectPropertyStart("kinds");
    kinds.forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeNumberProperty("distinct", distinct);
    json.writeArrayPropertyStart("examples");
    examples.forEach(json::writeString);
    json.writeEndArray();
  }
}
