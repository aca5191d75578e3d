package io.cordwood.query.gather;

import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.PatternSpec.Extent;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Random patterns, and how a naive search answers them.
 *
 * @param parts whether only what matches is wanted
 */
record RandomQuestion(PatternSpec spec, Pattern naive, boolean parts) {
  private static final List<String> TEXTS =
      List.of("", "line", "line 5", "of Some service", "\tat ", "no such thing", "e", "5");
  private static final List<String> REGEXES =
      List.of("line [0-9]*5", "^\\tat ", "s.me|line 1", "[a-f]{3}", "x*", "SOME|GET");

  private static final List<Extent> EXTENTS = List.of(Extent.values());
  private static final String OF_WORDS =
      "A-Za-z0-9_" + SearchedRecord.LETTER + SearchedRecord.INSIDE_LETTER;

  /** Any character but LF, of however many bytes. */
  private static final String ANY =
      "(?:[\\x00-\\x7f&&[^\\n]]|[%s%s][%s%s]*+)"
          .formatted(
              SearchedRecord.LETTER,
              SearchedRecord.BLANK,
              SearchedRecord.INSIDE_LETTER,
              SearchedRecord.INSIDE);

  static RandomQuestion of(SplittableRandom random) {
    boolean regex = random.nextInt(3) == 0;
    boolean ignoreCase = random.nextInt(3) == 0;
    boolean parts = random.nextInt(5) == 0;
    List<Extent> extents = parts ? List.of(Extent.PART, Extent.WORD) : EXTENTS;
    Extent extent = extents.get(random.nextInt(extents.size()));
    List<String> from = regex ? REGEXES : TEXTS;
    List<String> patterns = new ArrayList<>();
    int count = parts ? 1 : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      patterns.add(from.get(random.nextInt(from.size())));
    }
    var spec = new PatternSpec(patterns, regex, ignoreCase, extent);
    return new RandomQuestion(spec, naive(spec), parts);
  }

  private static Pattern naive(PatternSpec spec) {
    String any =
        spec.patterns().stream()
            .map(pattern -> spec.regex() ? pattern.replace(".", ANY) : Pattern.quote(pattern))
            .collect(Collectors.joining("|", "(?:", ")"));
    String whole =
        switch (spec.extent()) {
          case PART -> any;
          case WORD ->
              "(?<![%1$s])(?!%3$s)%2$s(?![%1$s%3$s])"
                  .formatted(OF_WORDS, any, SearchedRecord.INSIDE);
          case RECORD -> "\\A" + any + "\\z";
        };
    int flags = Pattern.UNIX_LINES | (spec.ignoreCase() ? Pattern.CASE_INSENSITIVE : 0);
    return Pattern.compile(whole, flags);
  }

  /** By which it is asked. */
  String parameters() {
    var parameters =
        new StringBuilder("regex=%s&ignore_case=%s".formatted(spec.regex(), spec.ignoreCase()))
            .append("&word=" + (spec.extent() == Extent.WORD))
            .append("&whole=" + (spec.extent() == Extent.RECORD))
            .append("&only_matching=" + parts);
    for (String pattern : spec.patterns()) {
      parameters.append("&q=").append(URLEncoder.encode(pattern, StandardCharsets.UTF_8));
    }
    return parameters.toString();
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
