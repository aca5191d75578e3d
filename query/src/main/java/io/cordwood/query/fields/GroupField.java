package io.cordwood.query.fields;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * By which records are counted:
 *
 * <pre>
 *   status       the value of a field
 *   status/100   where its number is, in steps of that width: 503 is at 500
 *   topic        the topic of the record, whatever fields it has
 *   shape        its message with numbers, ids and times masked, see {@link Shape}
 * </pre>
 *
 * @param text as it was asked for
 * @param path the field; null for the topic and the shape
 * @param width of the steps; 0: there are none
 */
public record GroupField(String text, @Nullable FieldPath path, double width) {
  /** Names that are not of fields. */
  public static final String TOPIC = "topic";

  public static final String SHAPE = "shape";

  private static final double MOST_EXACT = 1e15;

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if its field has no name, or one that is too long
   */
  public static GroupField parse(String text, Extract extract) {
    if (text.equals(TOPIC) || text.equals(SHAPE)) {
      return new GroupField(text, null, 0);
    }
    int slash = text.lastIndexOf('/');
    byte[] behind = text.substring(slash + 1).getBytes(StandardCharsets.UTF_8);
    double width =
        slash < 1 ? Double.NaN : Quantity.parse(behind, 0, behind.length, Quantity.Kind.PLAIN);
    return width > 0 && Double.isFinite(width)
        ? new GroupField(text, extract.path(text.substring(0, slash)), width)
        : new GroupField(text, extract.path(text), 0);
  }

  boolean isShape() {
    return path == null && text.equals(SHAPE);
  }

  /** The value by which a record is counted; null if it has none. */
  public byte @Nullable [] value(FieldFinder record, byte @Nullable [] topic) {
    if (path == null) {
      return isShape() ? Shape.of(record) : topic;
    } else if (width == 0) {
      return record.find(path) ? record.value() : null;
    }
    double steps = Math.floor(record.number(path) / width);
    return Double.isFinite(steps) ? written(steps).getBytes(StandardCharsets.US_ASCII) : null;
  }

  /** As a decimal number: three steps of 0.1 are 0.3. */
  private String written(double steps) {
    BigDecimal bound = new BigDecimal(steps).multiply(BigDecimal.valueOf(width));
    return Math.abs(steps * width) < MOST_EXACT
        ? bound.stripTrailingZeros().toPlainString()
        : Double.toString(bound.doubleValue());
  }

  @Override
  public String toString() {
    return text;
  }
}
