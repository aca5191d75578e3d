package io.cordwood.query.gather;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Random patterns, and how a naive search answers them.
 *
 * @param parameters by which they are asked
 * @param parts whether only what matches is wanted
 */
record RandomQuestion(String parameters, Pattern naive, boolean parts) {
  private static final List<String> TEXTS =
      List.of("", "line", "line 5", "of Some service", "\tat ", "no such thing", "e", "5");
  private static final List<String> REGEXES =
      List.of("line [0-9]*5", "^\\tat ", "s.me|line 1", "[a-f]{3}", "x*", "SOME|GET");

  /** What a match has to be in its record. */
  private enum Extent {
    PART("(?:%s)"),
    WORD("(?<![A-Za-z0-9_\u00c0])(?:%s)(?![A-Za-z0-9_\u00c0])"),
    RECORD("\\A(?:%s)\\z");

    private final String naive;

    Extent(String naive) {
      this.naive = naive;
    }
  }

  static RandomQuestion of(SplittableRandom random) {
    boolean regex = random.nextInt(3) == 0;
    boolean ignoreCase = random.nextInt(3) == 0;
    boolean parts = random.nextInt(5) == 0;
    Extent extent = Extent.values()[random.nextInt(parts ? 2 : 3)];
    var parameters =
        new StringBuilder("regex=%s&ignore_case=%s".formatted(regex, ignoreCase))
            .append("&word=" + (extent == Extent.WORD))
            .append("&whole=" + (extent == Extent.RECORD))
            .append("&only_matching=" + parts);
    List<String> naive = new ArrayList<>();
    List<String> patterns = regex ? REGEXES : TEXTS;
    int count = parts ? 1 : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String pattern = patterns.get(random.nextInt(patterns.size()));
      parameters.append("&q=").append(URLEncoder.encode(pattern, StandardCharsets.UTF_8));
      naive.add(regex ? pattern : Pattern.quote(pattern));
    }
    int flags = Pattern.UNIX_LINES | (ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
    String all = extent.naive.formatted(String.join("|", naive));
    return new RandomQuestion(parameters.toString(), Pattern.compile(all, flags), parts);
  }

  boolean matches(SearchedRecord record) {
    return naive.matcher(record.letters()).find();
  }

  /** What is given of a record that matches. */
  byte[] given(SearchedRecord record) {
    byte[] bytes = record.expected().bytes();
    var given = new ByteArrayOutputStream();
    if (!parts) {
      given.writeBytes(bytes);
      given.write('\n');
      return given.toByteArray();
    }
    for (Matcher matcher = naive.matcher(record.letters()); matcher.find(); ) {
      if (matcher.end() > matcher.start()) {
        given.write(bytes, matcher.start(), matcher.end() - matcher.start());
        given.write('\n');
      }
    }
    return given.toByteArray();
  }
}
