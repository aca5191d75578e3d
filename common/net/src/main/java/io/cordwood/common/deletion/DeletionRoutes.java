package io.cordwood.common.deletion;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code GET /deletions/known}: all tombstones that a node knows, for other nodes. With {@code
 * POST} they are told it; the answer comes when they are on its disk.
 */
public final class DeletionRoutes {
  private final Deletions deletions;

  private DeletionRoutes(Deletions deletions) {
    this.deletions = deletions;
  }

  public static void addTo(Routes routes, Deletions deletions) {
    var all = new DeletionRoutes(deletions);
    routes.get(ApiPaths.DELETIONS_KNOWN, all::tell);
    routes.post(ApiPaths.DELETIONS_KNOWN, TombstoneText.MAX_BYTES, all::learn);
  }

  private void tell(Request request, Response response) throws IOException {
    response.text(200, deletions.text());
  }

  private void learn(Request request, Response response) throws IOException {
    byte[] text = request.body().readAllBytes();
    try {
      deletions.learn(new String(text, StandardCharsets.ISO_8859_1));
    } catch (RefusedTombstoneException e) {
      throw new HttpError(409, String.valueOf(e.getMessage()));
    }
    response.text(200, "known\n");
  }
}
