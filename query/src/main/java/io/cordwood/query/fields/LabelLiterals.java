package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Literals of blocks that hold batches with some labels: a filter knows name=value of each. */
public final class LabelLiterals {
  private static final int MAX_ALTERNATIVES = 16;
  private static final int MAX_LITERAL_BYTES = 64;

  private LabelLiterals() {}

  /** Literals in each block with a batch that has all of these labels. */
  public static List<AnyOf> required(Labels labels) {
    return labels.pairs().entrySet().stream()
        .map(pair -> pair.getKey() + "=" + pair.getValue())
        .map(text -> anyOf(List.of(text.getBytes(StandardCharsets.UTF_8))))
        .toList();
  }

  /**
   * Literals in each block with a batch that has a label.
   *
   * @param test that its value passes; null: any value
   */
  static List<AnyOf> required(FieldPath label, @Nullable ValueTest test) {
    byte[] name = label.beforeLabel();
    List<byte[]> texts = test == null ? List.of() : test.encoded().texts();
    if (texts.isEmpty() || texts.size() > MAX_ALTERNATIVES) {
      return List.of(anyOf(List.of(name)));
    }
    return test instanceof ValueTest.Equal
        ? List.of(anyOf(texts.stream().map(text -> joined(name, text)).toList()))
        : List.of(anyOf(List.of(name)), anyOf(texts));
  }

  private static byte[] joined(byte[] name, byte[] value) {
    byte[] joined = Arrays.copyOf(name, name.length + value.length);
    System.arraycopy(value, 0, joined, name.length, value.length);
    return joined;
  }

  /** In lower case, as literals of blocks are looked for, and not longer than is of use. */
  private static AnyOf anyOf(List<byte[]> texts) {
    List<byte[]> literals = new ArrayList<>();
    for (byte[] text : texts) {
      byte[] literal = Arrays.copyOf(text, Math.min(text.length, MAX_LITERAL_BYTES));
      for (int i = 0; i < literal.length; i++) {
        literal[i] |= (byte) (literal[i] >= 'A' && literal[i] <= 'Z' ? 0x20 : 0);
      }
      literals.add(literal);
    }
    return new AnyOf(literals);
  }
}
