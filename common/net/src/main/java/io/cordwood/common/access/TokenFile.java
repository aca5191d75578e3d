package io.cordwood.common.access;

import io.cordwood.common.file.SharedFile;
import io.cordwood.common.file.SmallFile;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The file of tokens, a line each:
 *
 * <pre>
 *   # lines that are empty or begin with a number sign are skipped
 *   NAME sha256=64 HEX DIGITS scopes=ingest,query topics=shop*,audit expires=2027-01-31T00:00:00Z
 *   NAME sha256=… scopes=query topics=* labels=namespace=shop,team=a%20b
 *   NAME sha256=… scopes=query topics=* ingest-rate=1048576 queries=4
 * </pre>
 *
 * What comes last is optional. It holds no secret, but who can write it is let in.
 */
public final class TokenFile {
  static final int MAX_TOKENS = 10_000;
  private static final int MAX_BYTES = 16 << 20;
  private static final List<String> NEEDED = List.of("sha256", "scopes", "topics");
  private static final Set<String> OPTIONAL = Set.of("labels", "expires", "ingest-rate", "queries");

  private TokenFile() {}

  /**
   * Reads one.
   *
   * @throws IOException if it cannot be read or is none; the message names it, and the line, but
   *     shows nothing of what stands there
   */
  public static TokenList read(Path file) throws IOException {
    try {
      return parse(file, SmallFile.readLatin1(file, MAX_BYTES));
    } catch (NoSuchFileException e) {
      throw new IOException(
          file + ": no such file; the first token makes it: cordwood token add NAME --file " + file,
          e);
    }
  }

  private static TokenList parse(Path file, String text) throws IOException {
    List<Token> tokens = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        try {
          tokens.add(token(stripped));
        } catch (IllegalArgumentException | DateTimeException e) {
          throw new IOException(file + " line " + number + ": " + e.getMessage(), e);
        }
      }
      if (tokens.size() > MAX_TOKENS) {
        throw new IOException(file + ": expected at most " + MAX_TOKENS + " tokens, found more");
      }
    }
    try {
      return new TokenList(tokens);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static Token token(String line) {
    String[] words = line.split(" +", -1);
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      int equals = word.indexOf('=');
      String key = equals < 0 ? "" : word.substring(0, equals);
      if (!NEEDED.contains(key) && !OPTIONAL.contains(key)) {
        throw new IllegalArgumentException(
            "expected NAME and words such as scopes=query, found another word");
      }
      if (values.put(key, word.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("expected " + key + "= once, found it twice");
      }
    }
    for (String key : NEEDED) {
      if (!values.containsKey(key)) {
        throw new IllegalArgumentException("expected " + key + "=, found none");
      }
    }
    return new Token(
        words[0],
        values.getOrDefault("sha256", ""),
        scopes(values.getOrDefault("scopes", "")),
        new TopicPatterns(list(values.getOrDefault("topics", ""))),
        values.containsKey("labels") ? labels(list(values.get("labels"))) : Labels.NONE,
        Optional.ofNullable(values.get("expires")).map(TokenFile::time),
        number(values, "ingest-rate", Token.NO_RATE),
        (int) number(values, "queries", Token.NO_QUERIES_BOUND));
  }

  private static Set<Scope> scopes(String text) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    list(text).forEach(label -> scopes.add(Scope.of(label)));
    return scopes;
  }

  /** Each {@code name=value}, the value as in an address. */
  private static Labels labels(List<String> texts) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String name = text.substring(0, Math.max(equals, 0));
      String value = URLDecoder.decode(text.substring(equals + 1), StandardCharsets.UTF_8);
      if (pairs.put(name, value) != null) {
        throw new IllegalArgumentException("expected each label once, found one twice");
      }
    }
    return Labels.of(pairs);
  }

  private static String text(Labels labels) {
    return labels.pairs().entrySet().stream()
        .map(pair ->
            pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining(","));
  }

  private static List<String> list(String text) {
    return List.of(text.split(",", -1));
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "expected expires=2027-01-31T00:00:00Z or the like, found another", e);
    }
  }

  private static long number(Map<String, String> values, String key, long absent) {
    String text = values.get(key);
    if (text == null) {
      return absent;
    }
    if (!text.matches("[1-9][0-9]{0,17}") || Long.parseLong(text) > absent) {
      throw new IllegalArgumentException("expected " + key + "= with a number, found another");
    }
    return Long.parseLong(text);
  }

  /** The line of a token, without its end. */
  static String line(Token token) {
    var line = new StringBuilder(token.name()).append(" sha256=").append(token.hash());
    line.append(" scopes=")
        .append(
            token.scopes().stream().sorted().map(Scope::label).collect(Collectors.joining(",")));
    line.append(" topics=").append(String.join(",", token.topics().texts()));
    if (!token.labels().isEmpty()) {
      line.append(" labels=").append(text(token.labels()));
    }
    token.expires().ifPresent(time -> line.append(" expires=").append(time));
    if (token.ingestBytesPerSecond() != Token.NO_RATE) {
      line.append(" ingest-rate=").append(token.ingestBytesPerSecond());
    }
    if (token.queries() != Token.NO_QUERIES_BOUND) {
      line.append(" queries=").append(token.queries());
    }
    return line.toString();
  }

  /** Makes other tokens of those before. */
  @FunctionalInterface
  public interface Change {
    List<Token> of(List<Token> before);
  }

  /** Changes what a file has, if it is there, while no other command does. */
  public static void change(Path file, Change change) throws IOException {
    try (var _ = SharedFile.lock(file)) {
      write(file, change.of(Files.exists(file) ? read(file).tokens() : List.of()));
    }
  }

  /** Writes the tokens in place of what the file held. Comments do not stay. */
  public static void write(Path file, List<Token> tokens) throws IOException {
    var list = new TokenList(tokens);
    SharedFile.replace(
        file,
        list.tokens().stream().map(token -> line(token) + "\n").collect(Collectors.joining()));
  }
}
