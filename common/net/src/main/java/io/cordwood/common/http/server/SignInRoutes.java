package io.cordwood.common.http.server;

import io.cordwood.common.http.ApiPaths;
import java.io.IOException;

/**
 * {@code POST /login} with a form of one parameter, {@code token}: a browser gets it as a cookie,
 * for as long as it runs. {@code POST /logout} takes it away. The cookie is the token itself, so
 * any node of the cluster takes it, and none has to remember who is there.
 */
public final class SignInRoutes {
  private static final int MAX_FORM_BYTES = 1024;
  private static final String TOKEN = "token";
  private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

  private SignInRoutes() {}

  public static void addTo(Routes routes, Guard guard) {
    routes.post(
        ApiPaths.LOGIN,
        Params.of(TOKEN),
        MAX_FORM_BYTES,
        (request, response) -> signIn(guard, request, response));
    routes.post(ApiPaths.LOGOUT, 0, (_, response) -> signOut(response));
  }

  private static void signIn(Guard guard, Request request, Response response) throws IOException {
    if (request.param(TOKEN).isPresent()) {
      throw new HttpError(400, "expected the token in the body, found it in the address");
    }
    request.takeParams();
    String text = request.requiredParam(TOKEN);
    String name = guard.signIn(text, request.address());
    String secure = request.secure() ? "; Secure" : "";
    response.header("set-cookie", ShownToken.COOKIE + "=" + text + ATTRIBUTES + secure);
    response.header("cache-control", "no-store");
    response.text(200, "signed in as " + name + "\n");
  }

  private static void signOut(Response response) throws IOException {
    response.header("set-cookie", ShownToken.COOKIE + "=" + ATTRIBUTES + "; Max-Age=0");
    response.text(200, "signed out\n");
  }
}
