package io.cordwood.query.http;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereMatchers;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.PatternSpec.Extent;
import io.cordwood.query.request.Topics;
import io.cordwood.query.request.TopicsDeniedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the parameters that select records; an invalid one is answered 400.
 *
 * <pre>
 *   q              what to look for; empty or absent: every record; may be given several times
 *   and            has to be there as well, read as q is; may be given several times
 *   regex          q is a regular expression, not a literal
 *   ignore_case    letters match in either case
 *   word           only matches with no word character right before and after
 *   whole          only matches that are whole records
 *   invert         the records that do not match q
 *   where          only records whose fields meet it ({@link Where}); may be given several times
 *   extract        a regular expression whose groups are fields ({@link Extract}); may be given
 *                  several times
 *   topic          only records of these topics ({@link Topics}); may be given several times
 * </pre>
 */
public final class MatchingParams {
  public static final Params ALL =
      Params.of(
          ApiParams.Q,
          ApiParams.AND,
          ApiParams.REGEX,
          ApiParams.IGNORE_CASE,
          ApiParams.WORD,
          ApiParams.WHOLE,
          ApiParams.INVERT,
          ApiParams.WHERE,
          ApiParams.EXTRACT,
          ApiParams.TOPIC);

  private static final String FOR_BYTES =
      "; as a regular expression, \\x{FFFD} finds bytes that are not UTF-8";

  private MatchingParams() {}

  public static PatternSpec pattern(Request request) {
    List<String> patterns = request.params(ApiParams.Q, FOR_BYTES);
    boolean word = request.flag(ApiParams.WORD);
    return new PatternSpec(
        patterns.isEmpty() ? List.of("") : patterns,
        request.flag(ApiParams.REGEX),
        request.flag(ApiParams.IGNORE_CASE),
        request.flag(ApiParams.WHOLE) ? Extent.RECORD : word ? Extent.WORD : Extent.PART,
        request.params(ApiParams.AND, FOR_BYTES));
  }

  static List<Matcher> each(PatternSpec all) {
    return all.patterns().stream()
        .map(one ->
            new PatternSpec(List.of(one), all.regex(), all.ignoreCase(), all.extent(), all.and()))
        .map(one -> matcher(one, false, Where.NONE))
        .toList();
  }

  static Matcher matcher(PatternSpec pattern, boolean invert, Where where) {
    return Request.checked("q", () -> WhereMatchers.compile(pattern, invert, where));
  }

  /** Fields that are groups of regular expressions. */
  public static Extract extract(Request request) {
    return Request.checked("extract", () -> Extract.parse(request.params(ApiParams.EXTRACT)));
  }

  static Where where(Request request) {
    return Request.checked(
        "where", () -> Where.parse(request.params(ApiParams.WHERE), extract(request)));
  }

  /** The labels that a batch must have: those of the caller's token, or those that a node names. */
  static Labels only(Request request) {
    try {
      Map<String, String> pairs = new TreeMap<>();
      for (String label : request.params(ApiParams.LABEL)) {
        int equals = label.indexOf('=');
        pairs.put(label.substring(0, Math.max(equals, 0)), label.substring(equals + 1));
      }
      pairs.putAll(request.caller().labels().pairs());
      return Labels.of(pairs);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter label: " + e.getMessage());
    }
  }

  /**
   * The topics that are asked for, of those that the one who asks may know of.
   *
   * @throws HttpError 403 if a topic is named that the caller may not know of, whether it is there
   *     or not
   */
  public static Topics topics(Request request) {
    return Request.checked(
        "topic", () -> allowed(request, Topics.parse(request.params(ApiParams.TOPIC))));
  }

  /**
   * Topics, of those that the one who asks may know of.
   *
   * @throws HttpError 403 if a topic is named that the caller may not know of
   */
  public static Topics allowed(Request request, Topics asked) {
    try {
      TopicPatterns own = request.caller().topics();
      Topics allowed = own.areAll() ? asked : asked.within(Topics.parse(own.texts()));
      return allowed.of(only(request));
    } catch (TopicsDeniedException e) {
      throw new HttpError(
          403,
          "parameter topic: expected topics of the token %s, found others"
              .formatted(request.caller().name()));
    }
  }
}
