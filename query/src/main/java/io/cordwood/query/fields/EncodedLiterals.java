package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The bytes in a record that has a text in a key or value.
 *
 * <p>{@code error} may be written as it is, or with any of its characters as an escape of a
 * backslash, a u and four digits. So a record that has it holds {@code error}, or of one of its
 * characters that escape; and it holds {@code error}, or a backslash and a u. Characters that have
 * other escapes, such as a quote, are not asked for.
 *
 * @param texts of which a record has one
 * @param folded whether ASCII letters stand for both cases, in {@code texts} in lower case
 */
record EncodedLiterals(List<byte[]> texts, boolean folded) {
  /** How every escape begins of the characters that {@link #run} leaves. */
  static final String ESCAPE = "\\u";

  static final EncodedLiterals UNKNOWN = new EncodedLiterals(List.of(), false);

  private static final int MAX_ALTERNATIVES = 16;
  private static final int MAX_CHARACTERS = 64;

  /** Those with an escape of two characters, and the one that half a pair of surrogates becomes. */
  private static final Pattern OTHERWISE = Pattern.compile("[\"\\\\/\b\f\n\r\t\uFFFD]");

  /** Literals of which a record holds one; empty if nothing is known. */
  Optional<AnyOf> required() {
    Set<String> all = new LinkedHashSet<>();
    for (byte[] text : texts) {
      String run = run(text, MAX_ALTERNATIVES - all.size() - 1);
      if (run.isEmpty()) {
        return Optional.empty();
      }
      all.add(lower(run));
      run.codePoints().flatMap(this::bothCases).forEach(c -> all.add(escape(c)));
    }
    return all.isEmpty() || all.size() > MAX_ALTERNATIVES
        ? Optional.empty()
        : Optional.of(
            new AnyOf(all.stream().map(each -> each.getBytes(StandardCharsets.UTF_8)).toList()));
  }

  /** Texts of which a record holds one, or {@link #ESCAPE}; empty if nothing is known. */
  List<String> needles() {
    List<String> needles = new ArrayList<>();
    for (byte[] text : texts) {
      String run = run(text, MAX_CHARACTERS);
      if (run.isEmpty()) {
        return List.of();
      }
      needles.add(run);
    }
    return needles;
  }

  /**
   * The longest part without characters of other escapes, with a limited number of different ones.
   */
  private String run(byte[] text, int maxDifferent) {
    String best = "";
    // A regular expression's literal that ends within a character does so in U+FFFD.
    for (String part : OTHERWISE.split(new String(text, StandardCharsets.UTF_8), -1)) {
      String run = ofDifferent(part, maxDifferent);
      best = run.length() > best.length() ? run : best;
    }
    return best;
  }

  private String ofDifferent(String part, int max) {
    Set<Integer> seen = new HashSet<>();
    int at = 0;
    while (at < Math.min(part.length(), MAX_CHARACTERS)) {
      int character = part.codePointAt(at);
      bothCases(character).forEach(seen::add);
      if (seen.size() > max) {
        break;
      }
      at += Character.charCount(character);
    }
    return part.substring(0, at);
  }

  private IntStream bothCases(int character) {
    return folded && character >= 'a' && character <= 'z'
        ? IntStream.of(character, Character.toUpperCase(character))
        : IntStream.of(character);
  }

  /** In lower case, as literals of blocks are looked for. */
  private static String escape(int character) {
    return "\\u%04x".formatted((int) Character.toChars(character)[0]);
  }

  /** With ASCII's capitals in lower case. */
  static String lower(String text) {
    var lower = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      lower.setCharAt(i, c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c);
    }
    return lower.toString();
  }
}
