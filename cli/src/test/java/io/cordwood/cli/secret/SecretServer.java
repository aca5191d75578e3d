package io.cordwood.cli.secret;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Validity;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Keeps secrets as Kubernetes' API server does, over TLS, for one account. */
public final class SecretServer implements AutoCloseable {
  private static final String PATH = "/api/v1/namespaces/logs/secrets";

  /** What is kept, in JSON, by name. */
  public final Map<String, String> secrets = new ConcurrentSkipListMap<>();

  /** The name of a secret that is refused once; then it is empty. */
  volatile String refused = "";

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Path account;

  public SecretServer(Path folder) throws IOException {
    account = Files.createDirectories(folder.resolve("account"));
    Authority authority = Authority.create("Kubernetes", Validity.forDays(1));
    Path own = folder.resolve("server");
    CertificateFolder.writeNode(
        own, authority, authority.node(List.of("localhost"), Validity.forDays(1)), false);
    Files.copy(own.resolve("ca.pem"), account.resolve("ca.crt"));
    Files.writeString(account.resolve("token"), "the account's\n");
    Files.writeString(account.resolve("namespace"), "logs");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            ClientTls.of(Optional.empty(), own.resolve("node.pem"), own.resolve("node.key"))
                .context()));
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  public URI address() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  /** The folder that a kubelet would mount. */
  public Path account() {
    return account;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String token = exchange.getRequestHeaders().getFirst("Authorization");
    byte[] sent = exchange.getRequestBody().readAllBytes();
    if (!"Bearer the account's".equals(token) || !path.startsWith(PATH)) {
      answer(exchange, 403, "{}");
    } else if (exchange.getRequestMethod().equals("POST")) {
      String secret = new String(sent, StandardCharsets.UTF_8);
      String name = secret.replaceFirst(".*\"name\":\"([^\"]*)\".*", "$1");
      if (name.equals(refused)) {
        refused = "";
        answer(exchange, 500, "{}");
      } else if (secrets.putIfAbsent(name, secret) == null) {
        answer(exchange, 201, secret);
      } else {
        answer(exchange, 409, "{\"kind\":\"Status\",\"reason\":\"AlreadyExists\"}");
      }
    } else {
      String secret = secrets.get(path.substring(PATH.length() + 1));
      answer(exchange, secret == null ? 404 : 200, secret == null ? "{}" : secret);
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
