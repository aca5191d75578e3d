package io.cordwood.dist.page;

import io.cordwood.common.http.server.Handler;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code GET /}: a page for people, whose address is the query that it shows. It is a client of the
 * API like any other, asks nobody but the node that it came from, and runs no script but its own.
 *
 * <p>No path leads to anything but the page's files: its modules by their names, and all of them as
 * {@linkplain PageScript one script}, which the page itself takes. Browsers keep the files and ask
 * whether they are still the same, so a node of another version is noticed at once.
 */
public final class PageRoutes {
  static final String ENTRY = "index.html";
  private static final String PART = "/page" + Routes.VARIABLE;

  /** Records are made by whoever can send some: what they hold must not run, whatever it is. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "content-security-policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
              + " require-trusted-types-for 'script'; trusted-types 'none'",
          "x-content-type-options",
          "nosniff",
          "x-frame-options",
          "DENY",
          "referrer-policy",
          "no-referrer",
          "cross-origin-opener-policy",
          "same-origin",
          "cross-origin-resource-policy",
          "same-origin",
          "cache-control",
          "no-cache",
          "vary",
          "accept, accept-encoding");

  /** Read when they are first asked for: a node starts without them. */
  private static final Map<String, PageFile> FILES = new ConcurrentHashMap<>();

  /** Names below {@code /page/}, known once one of them is asked for. */
  private static final class Parts {
    static final Set<String> NAMES = PageFile.parts();
  }

  private PageRoutes() {}

  /** Adds them, for GET and HEAD. What an address asks for is read by the page itself. */
  public static void addTo(Routes routes) {
    addTo(routes, (request, response) -> answer(ENTRY, request, response));
  }

  /**
   * Adds them to a node that programs may expect to be another server.
   *
   * @param programs answers those that ask for {@code /} and do not say that they take HTML
   */
  public static void addTo(Routes routes, Handler programs) {
    add(
        routes,
        "/",
        (request, response) -> {
          if (request.header("accept").orElse("").contains("text/html")) {
            answer(ENTRY, request, response);
          } else {
            programs.handle(request, response);
          }
        });
    add(routes, PART, PageRoutes::part);
  }

  private static void add(Routes routes, String path, Handler handler) {
    routes.get(path, Params.ANY, handler).head(path, Params.ANY, handler);
  }

  private static void part(Request request, Response response) throws IOException {
    String name = request.variable();
    if (!Parts.NAMES.contains(name)) {
      throw new HttpError(404, "no such path: " + request.asked());
    }
    answer(name, request, response);
  }

  private static void answer(String name, Request request, Response response) throws IOException {
    PageFile file = FILES.computeIfAbsent(name, PageFile::of);
    boolean gzip = takesGzip(request);
    String tag = '"' + file.tag() + (gzip ? "-gzip" : "") + '"';
    HEADERS.forEach(response::header);
    response.header("etag", tag);
    if (isKept(request, tag)) {
      response.status(304).body().close();
      return;
    }
    response.header("content-type", file.type());
    if (gzip) {
      response.header("content-encoding", "gzip");
    }
    byte[] bytes = gzip ? file.gzip() : file.plain();
    response.contentLength(bytes.length).body().write(bytes);
  }

  private static boolean takesGzip(Request request) {
    return list(request, "accept-encoding").stream()
        .map(coding -> coding.split(";", 2))
        .anyMatch(coding ->
            coding[0].strip().equalsIgnoreCase("gzip")
                && (coding.length == 1 || !coding[1].strip().matches("q=0(\\.0*)?")));
  }

  /** Whether the client says that it has it already. */
  private static boolean isKept(Request request, String tag) {
    return list(request, "if-none-match").stream()
        .anyMatch(kept -> kept.equals("*") || kept.equals(tag) || kept.equals("W/" + tag));
  }

  private static List<String> list(Request request, String header) {
    return Arrays.stream(request.header(header).orElse("").split(",", -1))
        .map(String::strip)
        .toList();
  }
}
