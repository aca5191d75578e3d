package io.cordwood.common.http.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Optional;

/** The heads of requests that are served, and why others are not. */
final class RequestRules {
  private static final List<String> SCHEMES = List.of("http://", "https://");

  private RequestRules() {}

  /** RFC 9112: what is not to be served is better refused than guessed at. */
  static Optional<HttpError> refusedByHttp1(HttpRequest head) {
    if (head.protocolVersion().majorVersion() != 1) {
      return Optional.of(new HttpError(505, "expected HTTP/1.1, found " + head.protocolVersion()));
    }
    int hosts = head.headers().getAll(HttpHeaderNames.HOST).size();
    if (hosts > 1 || (hosts == 0 && head.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
      return Optional.of(
          new HttpError(400, "malformed request: expected one Host header, found " + hosts));
    }
    List<String> codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (!codings.isEmpty() && !List.of("chunked").equals(codings)) {
      return Optional.of(
          new HttpError(
              501, "Transfer-Encoding: expected chunked, found " + String.join(", ", codings)));
    }
    return Optional.empty();
  }

  /** A request may name the server in its first line, as it does to a proxy: RFC 9112, 3.2.2. */
  static String originForm(String uri) {
    for (String scheme : SCHEMES) {
      if (uri.regionMatches(true, 0, scheme, 0, scheme.length())) {
        int path = uri.indexOf('/', scheme.length());
        return path < 0 ? "/" : uri.substring(path);
      }
    }
    return uri;
  }

  /** The answer to a head that could not be read. */
  static HttpError malformed(Throwable cause, HttpServerOptions.Sizes sizes) {
    return switch (cause) {
      case TooLongHttpLineException _ ->
          new HttpError(
              414, "request line: expected at most " + sizes.maxInitialLineBytes() + " bytes");
      case TooLongHttpHeaderException _ ->
          new HttpError(431, "headers: expected at most " + sizes.maxHeaderBytes() + " bytes");
      default -> new HttpError(400, "malformed request: " + cause.getMessage());
    };
  }
}
