package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.PatternSpec.Extent;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The parameters of a query, encoded. One thread. */
public final class QueryString {
  /** The longest request line that a node takes, less its other parts. */
  private static final int MAX_CHARS = 8000;

  /** No record holds both, since one of them ends it. */
  private static final String IN_NO_RECORD = "\n\0";

  private final StringJoiner parameters = new StringJoiner("&");

  /** Adds a parameter; one of that name may be there already. */
  public QueryString add(String name, String value) {
    parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
    return this;
  }

  QueryString addAll(String name, List<String> values) {
    values.forEach(value -> add(name, value));
    return this;
  }

  /** Adds one that is {@code true}, or nothing. */
  public QueryString addIf(String name, boolean value) {
    return value ? add(name, "true") : this;
  }

  /** Adds one, or nothing if there is no value; a duration in whole seconds or milliseconds. */
  public QueryString addIfThere(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    // Not a switch over types, which takes as long to be linked as all the rest of a query.
    return add(name, value instanceof Duration time ? text(time) : value.toString());
  }

  private static String text(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  /** Adds the patterns; a query without any pattern finds no record. */
  QueryString addPattern(PatternSpec pattern) {
    List<String> all = pattern.patterns();
    return addAll(ApiParams.Q, all.isEmpty() ? List.of(IN_NO_RECORD) : all)
        .addAll(ApiParams.AND, pattern.and())
        .addIf(ApiParams.REGEX, pattern.regex())
        .addIf(ApiParams.IGNORE_CASE, pattern.ignoreCase())
        .addIf(ApiParams.WORD, pattern.extent() == Extent.WORD)
        .addIf(ApiParams.WHOLE, pattern.extent() == Extent.RECORD);
  }

  /**
   * Asks a node for something on one of {@link ApiPaths}: in the address, or in a form if the query
   * is too long for that.
   */
  public static CliClient.Answer ask(CliClient client, NodeAddress node, String path, String query)
      throws IOException {
    URI address = node.uri(path);
    return query.length() <= MAX_CHARS
        ? client.get(node.uri(path + "?" + query))
        : client.postForm(address, query);
  }

  /** Asks for the headers alone, which cannot be done in a form. */
  public static CliClient.Answer askHead(
      CliClient client, NodeAddress node, String path, String query) throws IOException {
    if (query.length() > MAX_CHARS) {
      throw new CommandException(
          "the pattern is too long: expected at most %d characters once encoded, found %d"
              .formatted(MAX_CHARS, query.length()));
    }
    return client.head(node.uri(path + "?" + query));
  }

  @Override
  public String toString() {
    return parameters.toString();
  }
}
