package io.cordwood.cli.secret;

import io.cordwood.common.http.client.JsonClient;
import io.cordwood.common.http.client.JsonClient.Answer;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Secrets of one namespace at Kubernetes' API server, as the account of a pod sees them. */
final class ApiServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final URI secrets;
  private final JsonClient client;

  /**
   * @param address without a path
   * @param account folder with {@code token}, {@code ca.crt} and {@code namespace}, as a kubelet
   *     mounts it
   */
  ApiServer(URI address, Path account) throws IOException {
    String namespace = word(account.resolve("namespace"));
    this.secrets = address.resolve("/api/v1/namespaces/" + namespace + "/secrets");
    ClientTls tls = ClientTls.trusting(account.resolve("ca.crt"));
    this.client = new JsonClient(tls, Optional.of(word(account.resolve("token"))));
  }

  private static String word(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  /** The texts of a secret, if there is one of that name. */
  Optional<Map<String, String>> find(String name) throws IOException, InterruptedException {
    URI address = URI.create(secrets + "/" + name);
    Answer answer = client.get(address, PATIENCE);
    return switch (answer.status()) {
      case OK -> Optional.of(SecretJson.data(answer.body()));
      case NOT_FOUND -> Optional.empty();
      default -> throw unexpected("GET " + address, "200 or 404", answer);
    };
  }

  /**
   * Creates a secret.
   *
   * @return false if there was one of that name, which is left as it is
   */
  boolean create(String name, Map<String, String> data) throws IOException, InterruptedException {
    byte[] secret = SecretJson.secret(name, data).getBytes(StandardCharsets.US_ASCII);
    Answer answer = client.ask(secrets, secret, PATIENCE);
    return switch (answer.status()) {
      case CREATED -> true;
      case CONFLICT -> false;
      default -> throw unexpected("POST " + secrets + " of " + name, "201 or 409", answer);
    };
  }

  private static IOException unexpected(String call, String expected, Answer answer) {
    String hint =
        answer.status() == FORBIDDEN
            ? "; the account's role needs to create secrets, and to get the first of them"
            : "";
    return new IOException(
        "%s: expected %s, found %d%s".formatted(call, expected, answer.status(), hint));
  }

  @Override
  public void close() {
    client.close();
  }
}
