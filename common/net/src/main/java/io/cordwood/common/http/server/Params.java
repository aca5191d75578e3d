package io.cordwood.common.http.server;

import io.cordwood.common.text.Spelling;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which parameters a route takes. One that it has not is refused, so that a misspelt one does not
 * get the answer to another question. Immutable.
 */
public final class Params {
  public static final Params NONE = of();

  /**
   * Any: what nodes ask of each other, which may be of different versions. One passes over what it
   * does not know, so what must not be passed over gets another path, which an older node refuses.
   */
  public static final Params ANY = new Params(Set.of(), List.of(""));

  private final Set<String> names;
  private final List<String> prefixes;

  private Params(Set<String> names, List<String> prefixes) {
    this.names = names;
    this.prefixes = prefixes;
  }

  /** These ones, in the order in which people are told of them. */
  public static Params of(String... names) {
    return new Params(new LinkedHashSet<>(Arrays.asList(names)), List.of());
  }

  /** These, and all whose names begin so; people are told of them as {@code PREFIXNAME}. */
  public Params andAll(String prefix) {
    return new Params(names, List.of(prefix));
  }

  /** These and more. */
  public Params and(String... more) {
    var all = new LinkedHashSet<>(names);
    all.addAll(Arrays.asList(more));
    return new Params(all, prefixes);
  }

  /** These and more. */
  public Params and(Params more) {
    return and(more.names.toArray(String[]::new));
  }

  boolean has(String name) {
    return names.contains(name) || prefixes.stream().anyMatch(name::startsWith);
  }

  /** That a path has no such parameter, which it may have instead, and which it has. */
  HttpError refusal(String path, String name) {
    List<String> known =
        Stream.concat(names.stream(), prefixes.stream().map(prefix -> prefix + "NAME")).toList();
    String all = String.join(", ", known);
    String instead =
        Spelling.nearest(name, names)
            .map(near -> "; did you mean " + near + "? It has " + all)
            .orElse(known.isEmpty() ? "" : "; it has " + all);
    return new HttpError(
        400, "parameter %s: %s has none%s".formatted(HttpError.cut(name), path, instead));
  }
}
