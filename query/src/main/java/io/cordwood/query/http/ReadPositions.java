package io.cordwood.query.http;

import io.cordwood.common.ulid.Ulid;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The positions from which to read on.
 *
 * @param next after the last record that was given
 * @param settled the position before which only late records can still appear; empty if this node
 *     does not know it
 */
public record ReadPositions(Ulid next, Optional<Ulid> settled) {
  static final String NEXT = "next_ulid";
  static final String SETTLED = "settled_ulid";

  /** As fields of an HTTP answer. */
  public void eachField(BiConsumer<String, String> field) {
    field.accept("cordwood-next-ulid", next.toString());
    settled.ifPresent(ulid -> field.accept("cordwood-settled-ulid", ulid.toString()));
  }
}
