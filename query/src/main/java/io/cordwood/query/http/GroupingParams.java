package io.cordwood.query.http;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Grouping.Each;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads names of fields; what is none is answered 400. */
public final class GroupingParams {
  private GroupingParams() {}

  /** Fields with commas between them, of a parameter that may be given several times. */
  private static List<FieldPath> fields(Request request, String name) {
    Extract extract = MatchingParams.extract(request);
    return read(request, name, extract::path);
  }

  /** Fields by which records are counted, read in that way. */
  public static List<GroupField> by(Request request, String name) {
    Extract extract = MatchingParams.extract(request);
    return read(request, name, text -> GroupField.parse(text, extract));
  }

  /** Names as they are written, with commas between them. */
  public static List<String> names(Request request, String name) {
    return read(request, name, text -> text);
  }

  private static <T> List<T> read(Request request, String name, Function<String, T> read) {
    return Request.checked(
        name,
        () ->
            request.params(name).stream()
                .flatMap(all -> Stream.of(all.split(",", -1)))
                .map(String::strip)
                .map(read)
                .toList());
  }

  /** As nodes ask each other. */
  static Grouping grouping(Request request) {
    try {
      return new Grouping(
          by(request, ApiParams.BY),
          fields(request, ApiParams.OF),
          request.flag(ApiParams.VALUES),
          by(request, ApiParams.DISTINCT),
          request
              .param(ApiParams.EACH)
              .map(each -> Each.valueOf(each.toUpperCase(Locale.ROOT)))
              .orElse(Each.NOTHING));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter by, or what is measured: " + e.getMessage());
    }
  }
}
