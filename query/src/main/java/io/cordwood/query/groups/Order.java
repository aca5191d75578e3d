package io.cordwood.query.groups;

import io.cordwood.query.fields.SortKey;
import io.cordwood.query.groups.Groups.Group;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of the lines of a table: by a column, numbers from the greatest on and others from the
 * least, unless {@code :asc} or {@code :desc} follows its name. What has no value comes last.
 *
 * @param text a column's name, or the kind of the only measure of it, such as {@code p99}
 */
record Order(String text) {
  private static final String UP = ":asc";
  private static final String DOWN = ":desc";

  /**
   * Compares groups.
   *
   * @throws IllegalArgumentException if there is no such column
   */
  Comparator<Group> of(List<Column> columns) {
    boolean isSaid = text.endsWith(UP) || text.endsWith(DOWN);
    String name = isSaid ? text.substring(0, text.lastIndexOf(':')) : text;
    Column by = named(name, columns);
    boolean isDown = isSaid ? text.endsWith(DOWN) : by.kind() == Column.Kind.NUMBER;
    Comparator<SortKey> keys = isDown ? Comparator.reverseOrder() : Comparator.naturalOrder();
    return Comparator.comparing(group -> key(by.value().apply(group)), Comparator.nullsLast(keys));
  }

  private static @Nullable SortKey key(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Number number -> new SortKey(number.doubleValue(), "");
      case Estimate estimate -> new SortKey(estimate.number(), "");
      default -> SortKey.of(value.toString());
    };
  }

  private static Column named(String name, List<Column> columns) {
    List<Column> found = columns.stream().filter(each -> each.name().equals(name)).toList();
    if (found.isEmpty()) {
      found = columns.stream().filter(each -> each.name().startsWith(name + "(")).toList();
    }
    if (found.size() != 1) {
      List<String> names = columns.stream().map(Column::name).toList();
      throw new IllegalArgumentException(
          "expected one of %s, found \"%s\"".formatted(String.join(", ", names), name));
    }
    return found.getFirst();
  }
}
