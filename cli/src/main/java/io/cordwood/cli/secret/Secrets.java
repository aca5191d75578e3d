package io.cordwood.cli.secret;

import io.cordwood.cli.kubernetes.ApiServer;
import io.cordwood.cli.kubernetes.ApiServer.Answer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Secrets of one namespace at Kubernetes' API server, as the account of a pod sees them. */
final class Secrets {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 4 << 20;

  private final ApiServer server;
  private final String path;

  /** Those of the namespace of the account. */
  Secrets(ApiServer server) throws IOException {
    this.server = server;
    this.path = "/api/v1/namespaces/" + server.namespace() + "/secrets";
  }

  /** The texts of a secret, if there is one of that name. */
  Optional<Map<String, String>> find(String name) throws IOException {
    String address = path + "/" + name;
    try (Answer answer = opened(() -> server.get(address, PATIENCE))) {
      return switch (answer.status()) {
        case HttpURLConnection.HTTP_OK -> Optional.of(SecretJson.data(text(answer)));
        case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
        default -> throw unexpected("GET " + server.base() + address, "200 or 404", answer);
      };
    }
  }

  /**
   * Creates a secret.
   *
   * @return false if there was one of that name, which is left as it is
   */
  boolean create(String name, Map<String, String> data) throws IOException {
    byte[] secret = SecretJson.secret(name, data).getBytes(StandardCharsets.US_ASCII);
    try (Answer answer = opened(() -> server.post(path, secret, PATIENCE))) {
      return switch (answer.status()) {
        case HttpURLConnection.HTTP_CREATED -> true;
        case HttpURLConnection.HTTP_CONFLICT -> false;
        default ->
            throw unexpected("POST " + server.base() + path + " of " + name, "201 or 409", answer);
      };
    }
  }

  /** Asks; a failure names the server, unless it names a file of the account. */
  private Answer opened(Request request) throws IOException {
    try {
      return request.send();
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(server.base().getAuthority() + ": " + e.getMessage(), e);
    }
  }

  /** One that is yet to be sent. */
  private interface Request {
    Answer send() throws IOException;
  }

  /** Kubernetes keeps no secret of more than 1 MiB. */
  private static String text(Answer answer) throws IOException {
    return new String(answer.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
  }

  private static IOException unexpected(String call, String expected, Answer answer) {
    String hint =
        answer.status() == HttpURLConnection.HTTP_FORBIDDEN
            ? "; the account's role needs to create secrets, and to get the first of them"
            : "";
    return new IOException(
        "%s: expected %s, found %d%s".formatted(call, expected, answer.status(), hint));
  }
}
