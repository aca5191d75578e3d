package io.cordwood.agent.pods;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The API server of a cluster, as a pod in it reaches it. Token and authorities are read for each
 * request, since a kubelet replaces them.
 *
 * @param base without a path
 * @param token a file with the token of the pod's service account
 * @param authorities a file with certificates in PEM, for {@code https}
 */
public record ApiServer(URI base, Path token, Path authorities) {
  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

  /** The server that the environment of a pod names; none outside a cluster. */
  public static Optional<ApiServer> inCluster(Map<String, String> environment) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host.isEmpty()) {
      return Optional.empty();
    }
    String address = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return Optional.of(
        new ApiServer(
            URI.create("https://" + address + ":" + port),
            ACCOUNT.resolve("token"),
            ACCOUNT.resolve("ca.crt")));
  }

  /** An answer, whose body comes as it is read. */
  record Answer(HttpURLConnection connection, int status, InputStream body)
      implements AutoCloseable {
    /** Ends the connection, whatever is still to come on it. For any thread. */
    @Override
    public void close() {
      connection.disconnect();
    }
  }

  /**
   * Asks for something.
   *
   * @param path and query
   * @param silence the longest time without a byte of the answer
   * @throws IOException also when the server is not who it should be
   */
  Answer get(String path, Duration silence) throws IOException {
    var connection = (HttpURLConnection) base.resolve(path).toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection tls) {
      tls.setSSLSocketFactory(trust().getSocketFactory());
    }
    connection.setConnectTimeout((int) CONNECT_WITHIN.toMillis());
    connection.setReadTimeout((int) silence.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty("User-Agent", "cordwood");
    connection.setRequestProperty("Authorization", "Bearer " + Files.readString(token).strip());
    try {
      int status = connection.getResponseCode();
      InputStream body =
          status < HttpURLConnection.HTTP_BAD_REQUEST
              ? connection.getInputStream()
              : connection.getErrorStream();
      return new Answer(connection, status, body == null ? InputStream.nullInputStream() : body);
    } catch (IOException e) {
      connection.disconnect();
      throw e;
    }
  }

  private SSLContext trust() throws IOException {
    try (InputStream in = Files.newInputStream(authorities)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry(Integer.toString(store.size()), each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "expected certificates in PEM in " + authorities + ": " + e.getMessage(), e);
    }
  }
}
