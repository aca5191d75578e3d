package io.cordwood.query.http;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads names of fields; what is none is answered 400. */
public final class GroupingParams {
  private GroupingParams() {}

  /** Fields with commas between them, of a parameter that may be given several times. */
  public static List<FieldPath> fields(Request request, String name) {
    Extract extract = MatchingParams.extract(request);
    return read(request, name, extract::path);
  }

  /** By which records are counted, in the same way. */
  public static List<GroupField> by(Request request) {
    Extract extract = MatchingParams.extract(request);
    return read(request, ApiParams.BY, text -> GroupField.parse(text, extract));
  }

  private static <T> List<T> read(Request request, String name, Function<String, T> read) {
    try {
      return request.params(name).stream()
          .flatMap(all -> Stream.of(all.split(",", -1)))
          .map(String::strip)
          .map(read)
          .toList();
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter " + name + ": " + e.getMessage());
    }
  }

  /** As nodes ask each other. */
  static Grouping grouping(Request request) {
    try {
      return new Grouping(
          by(request), fields(request, ApiParams.OF), request.flag(ApiParams.VALUES));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter by, or what is measured: " + e.getMessage());
    }
  }
}
