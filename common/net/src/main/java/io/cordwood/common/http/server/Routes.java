package io.cordwood.common.http.server;

import io.cordwood.common.text.Spelling;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A server's handlers, by method and exact path. Safe for all threads; what is added while a server
 * runs is answered from then on.
 */
public final class Routes {
  /** The longest form: room for as much as all patterns of a query may be, escaped. */
  public static final int MAX_FORM_BYTES = 256 << 10;

  /** A segment of a path that takes any. */
  public static final String VARIABLE = Endpoint.VARIABLE;

  /** The end of a path that takes all that are below it. */
  public static final String BELOW = "/*";

  /** The deepest path that may have {@link #BELOW} at its end. */
  private static final int MAX_SEGMENTS_ABOVE = 3;

  private final Map<String, Map<String, Route>> byPath = new ConcurrentHashMap<>();

  /** Which segments of paths are variables, from 0 on. */
  private final Set<Integer> variables = new ConcurrentSkipListSet<>();

  private volatile Guard guard = Guard.OPEN;

  /** From now on, who may ask for what is as this says; before, all may ask for all. */
  public Routes guardedBy(Guard other) {
    guard = other;
    return this;
  }

  Guard guard() {
    return guard;
  }

  /** Answers GET requests, which have no body, and no parameters. */
  public Routes get(String path, Handler handler) {
    return get(path, Params.NONE, handler);
  }

  /** Answers GET requests, which have no body. */
  public Routes get(String path, Params params, Handler handler) {
    return add("GET", new Route(new Endpoint(path, params), 0, true, handler));
  }

  /** Answers HEAD requests: what the handler writes as a body is counted and not sent. */
  public Routes head(String path, Params params, Handler handler) {
    return add("HEAD", new Route(new Endpoint(path, params), 0, true, handler));
  }

  /** Answers POST requests without parameters. */
  public Routes post(String path, long maxBodyBytes, Handler handler) {
    return post(path, Params.NONE, maxBodyBytes, handler);
  }

  /**
   * Answers POST requests.
   *
   * @param maxBodyBytes longest body; more is answered 413
   */
  public Routes post(String path, Params params, long maxBodyBytes, Handler handler) {
    return add("POST", new Route(new Endpoint(path, params), maxBodyBytes, false, handler));
  }

  /**
   * Answers requests of a method that clients of other servers use.
   *
   * @param path may have one {@link #VARIABLE}, a segment that {@link Request#variable} gives, or
   *     end with {@link #BELOW}; {@link Request#asked} gives all of it
   */
  public Routes on(String method, String path, Params params, long maxBodyBytes, Handler handler) {
    return add(method, new Route(new Endpoint(path, params), maxBodyBytes, false, handler));
  }

  /**
   * Answers GET requests, and POST requests whose parameters are in the body, as a form or JSON.
   *
   * @see #MAX_FORM_BYTES
   */
  public Routes getOrForm(String path, Params params, Handler handler) {
    return get(path, params, handler).form(path, params, true, _ -> true, handler);
  }

  /**
   * Answers POST requests that change something, whose parameters are in the address, in the body
   * as a form or JSON, or in both.
   *
   * @see #MAX_FORM_BYTES
   */
  public Routes form(String path, Params params, Handler handler) {
    return form(
        path, params, false, request -> request.header("content-type").isPresent(), handler);
  }

  private Routes form(
      String path, Params params, boolean readOnly, Predicate<Request> hasForm, Handler handler) {
    Handler withBody =
        (request, response) -> {
          if (hasForm.test(request)) {
            request.takeParams();
          }
          handler.handle(request, response);
        };
    return add("POST", new Route(new Endpoint(path, params), MAX_FORM_BYTES, readOnly, withBody));
  }

  /**
   * Answers requests of any one method.
   *
   * @throws IllegalArgumentException if the method and path have a handler
   */
  private Routes add(String method, Route route) {
    Map<String, Route> methods =
        byPath.computeIfAbsent(route.path(), _ -> new ConcurrentSkipListMap<>());
    if (methods.putIfAbsent(method, route) != null) {
      throw new IllegalArgumentException(method + " " + route.path() + " has a handler");
    }
    int variable = route.endpoint().variable();
    if (variable >= 0) {
      variables.add(variable);
    }
    return this;
  }

  /** Handlers of a path of which one segment is a variable, {@code /{}/_bulk}; null if none is. */
  private @Nullable Map<String, Route> withVariable(String path) {
    for (int variable : variables) {
      int start = Endpoint.start(path, variable);
      int end = start < 0 ? -1 : path.indexOf('/', start + 1);
      if (start >= 0) {
        String rest = end < 0 ? "" : path.substring(end);
        Map<String, Route> methods = byPath.get(path.substring(0, start) + VARIABLE + rest);
        if (methods != null) {
          return methods;
        }
      }
    }
    return null;
  }

  /** Routes of a path, or else of the nearest one above it that takes all below it. */
  private @Nullable Map<String, Route> at(String path) {
    Map<String, Route> found = byPath.get(path);
    if (found == null) {
      found = withVariable(path);
    }
    if (found != null) {
      return found;
    }
    int slash = 0;
    for (int depth = 0; depth < MAX_SEGMENTS_ABOVE; depth++) {
      slash = path.indexOf('/', slash + 1);
      if (slash < 0) {
        break;
      }
      found = byPath.getOrDefault(path.substring(0, slash) + BELOW, found);
    }
    return found;
  }

  Match find(String method, String path) {
    Map<String, Route> methods = at(path);
    if (methods == null) {
      return new NoSuchPath(path, Spelling.nearest(path, byPath.keySet()));
    }
    Route route = methods.get(method);
    return route != null
        ? route
        : new WrongMethod(path, method, String.join(", ", methods.keySet()));
  }

  /** The result of looking up a request. */
  sealed interface Match {
    /** The path of the route, never that of the request: few values, fit for a metric's label. */
    String label();
  }

  /**
   * A handler, and what it takes.
   *
   * @param maxBodyBytes of the longest body
   * @param readOnly whether it only answers, and changes nothing
   */
  record Route(Endpoint endpoint, long maxBodyBytes, boolean readOnly, Handler handler)
      implements Match {
    String path() {
      return endpoint.path();
    }

    @Override
    public String label() {
      return path();
    }
  }

  /** Nothing here; another path may have been meant. */
  record NoSuchPath(String path, Optional<String> near) implements Match {
    @Override
    public String label() {
      return "none";
    }
  }

  /** Something here, for other methods. */
  record WrongMethod(String path, String method, String allow) implements Match {
    @Override
    public String label() {
      return path;
    }
  }

  /** A request that is answered before any route is looked at. */
  record Refused(HttpError error) implements Match {
    @Override
    public String label() {
      return "none";
    }
  }
}
