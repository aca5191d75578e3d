package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The form of records that differ only by numbers, ids, addresses and times: the first line of the
 * message with these masked, after the level if there is one. The page gets the masks from here.
 */
public final class Shape {
  private static final int MAX_CHARS = 300;
  private static final int MAX_BYTES = 4 * MAX_CHARS;

  /**
   * A text that is masked.
   *
   * @param pattern means the same in Java and in JavaScript, and has no slash
   * @param isAnyCase letters match in both cases
   * @param by stands in its place
   */
  public record Mask(Pattern pattern, boolean isAnyCase, String by) {
    private static Mask of(String pattern, String by) {
      return new Mask(Pattern.compile(pattern), false, by);
    }

    private static Mask ofAnyCase(String pattern, String by) {
      return new Mask(Pattern.compile(pattern, Pattern.CASE_INSENSITIVE), true, by);
    }
  }

  /** In this order. */
  public static final List<Mask> MASKS =
      List.of(
          Mask.of("\\x1b\\[[0-9;:]*m", ""),
          Mask.ofAnyCase(
              "\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "‹id›"),
          Mask.of(
              "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?",
              "‹time›"),
          Mask.of("\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?\\b", "‹ip›"),
          Mask.ofAnyCase("\\b(?=\\w*\\d)(?:0x)?[0-9a-f]{8,}\\b", "‹hex›"),
          Mask.of("\\b(?=\\w*\\d)[A-Z0-9]{20,}\\b", "‹id›"),
          Mask.of("(?:(?<!\\w)-)?\\d+(?:\\.\\d+)?", "‹n›"));

  private Shape() {}

  /** The shape of the record that a finder is at. */
  static byte[] of(FieldFinder record) {
    boolean hasMessage = record.findMessage();
    String masked = masked(hasMessage ? record.value() : record.text());
    Level level = hasMessage ? record.level() : Level.NONE;
    String shape = level == Level.NONE ? masked : level.word() + ": " + masked;
    return shape.getBytes(StandardCharsets.UTF_8);
  }

  private static String masked(byte[] text) {
    String all = new String(text, 0, Math.min(text.length, MAX_BYTES), StandardCharsets.UTF_8);
    int end = all.indexOf('\n');
    String line = all.substring(0, Math.min(end < 0 ? all.length() : end, MAX_CHARS));
    for (Mask mask : MASKS) {
      line = mask.pattern.matcher(line).replaceAll(mask.by);
    }
    return line;
  }
}
