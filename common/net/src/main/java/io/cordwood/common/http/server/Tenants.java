package io.cordwood.common.http.server;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Set;

/**
 * Headers that choose a tenant, as Loki and VictoriaLogs have them. A node has none, so they are
 * refused: who sends with one would find the records of all in one place.
 */
final class Tenants {
  private static final List<String> HEADERS = List.of("x-scope-orgid", "accountid", "projectid");

  /** Values of clients that have no tenant. */
  private static final Set<String> NO_TENANT = Set.of("", "0", "fake", "anonymous");

  private Tenants() {}

  /**
   * Looks at all values of these headers in a request for records, sent or asked for.
   *
   * @throws HttpError 400, which names the header
   */
  static void refuse(String path, HttpHeaders headers) {
    Access access = Access.of(path);
    if (access != Access.QUERY && access != Access.INGEST) {
      return;
    }
    for (String name : HEADERS) {
      if (!headers.getAll(name).stream().map(String::strip).allMatch(NO_TENANT::contains)) {
        throw new HttpError(
            400,
            "header %s: expected none, since a node has no tenants, found one".formatted(name));
      }
    }
  }
}
