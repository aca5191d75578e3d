package io.cordwood.common.http.client;

import java.net.ConnectException;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutionException;

/** The JDK's client for servers that are no nodes. */
final class JdkClients {
  private JdkClients() {}

  /** For clients that speak HTTP/1.1 and follow no redirects. */
  static HttpClient.Builder builder() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER);
  }

  /** Why there is no answer, for people. */
  static String reason(ExecutionException e) {
    Throwable failure = e.getCause() == null ? e : e.getCause();
    String message = failure.getMessage();
    return message != null
        ? message
        : failure instanceof ConnectException ? "cannot connect" : failure.toString();
  }
}
