package io.cordwood.common.http.server;

import io.cordwood.common.access.DeniedException;
import io.cordwood.common.access.DeniedException.Reason;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * The token in a request's headers, in whatever way the client can show one.
 *
 * <pre>
 *   authorization: Bearer cw_…
 *   authorization: Splunk cw_…
 *   authorization: Basic BASE64(anything:cw_…)
 *   authorization: ApiKey cw_…, or BASE64(anything:cw_…)
 *   dd-api-key: cw_…
 *   cookie: cordwood-token=cw_…
 * </pre>
 */
final class ShownToken {
  /** In which a browser keeps its token: scripts do not see it, other sites do not send it. */
  static final String COOKIE = "cordwood-token";

  /** Headers that have a token and nothing else. */
  private static final List<String> WHOLE = List.of("dd-api-key");

  private ShownToken() {}

  /**
   * Finds it.
   *
   * @throws DeniedException if there is none
   */
  static String in(HttpHeaders headers) throws DeniedException {
    String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (authorization != null) {
      return of(authorization.strip());
    }
    for (String name : WHOLE) {
      String value = headers.get(name);
      if (value != null) {
        return value.strip();
      }
    }
    return cookie(headers.get(HttpHeaderNames.COOKIE, ""));
  }

  private static String of(String authorization) throws DeniedException {
    int space = authorization.indexOf(' ');
    String scheme = authorization.substring(0, Math.max(space, 0)).toLowerCase(Locale.ROOT);
    String rest = authorization.substring(space + 1).strip();
    return switch (scheme) {
      case "bearer", "splunk" -> rest;
      case "basic" -> password(rest);
      case "apikey" -> rest.startsWith("cw_") ? rest : password(rest);
      default ->
          throw new DeniedException(
              Reason.MALFORMED, "authorization: expected Bearer and a token, found something else");
    };
  }

  private static String password(String base64) throws DeniedException {
    try {
      String text = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
      return text.substring(text.indexOf(':') + 1);
    } catch (IllegalArgumentException e) {
      throw new DeniedException(
          Reason.MALFORMED,
          "authorization: expected a name and a token in base64, found other text");
    }
  }

  private static String cookie(String cookies) throws DeniedException {
    for (String each : cookies.split(";", -1)) {
      String one = each.strip();
      if (one.startsWith(COOKIE + "=")) {
        return one.substring(COOKIE.length() + 1);
      }
    }
    throw new DeniedException(
        Reason.MISSING, "expected a token, in a header: authorization: Bearer cw_…, found none");
  }
}
