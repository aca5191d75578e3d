package io.cordwood.cli.kubernetes;

import io.cordwood.forwarder.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * The API server of a cluster, as the account of a pod sees it. Token and authorities are read for
 * each request, since a kubelet replaces them.
 *
 * @param base without a path
 * @param account folder with {@code token}, {@code namespace} and, for {@code https}, {@code
 *     ca.crt} in PEM, as a kubelet mounts it
 */
public record ApiServer(URI base, Path account) {
  /** The folder that a kubelet mounts. */
  public static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

  /** The server that the environment of a pod names; none outside a cluster. */
  public static Optional<ApiServer> inCluster(Map<String, String> environment) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host.isEmpty()) {
      return Optional.empty();
    }
    String address = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return Optional.of(new ApiServer(URI.create("https://" + address + ":" + port), ACCOUNT));
  }

  /** An answer, whose body comes as it is read. */
  public record Answer(HttpURLConnection connection, int status, InputStream body)
      implements AutoCloseable {
    /** Ends the connection, whatever is still to come on it. For any thread. */
    @Override
    public void close() {
      connection.disconnect();
    }
  }

  /** The namespace of the pod. */
  public String namespace() throws IOException {
    return word("namespace");
  }

  private String word(String file) throws IOException {
    return Files.readString(account.resolve(file)).strip();
  }

  /**
   * Asks for something.
   *
   * @param path and query
   * @param silence the longest time without a byte of the answer
   * @throws IOException also when the server is not who it should be
   */
  public Answer get(String path, Duration silence) throws IOException {
    return answer(connection(path, silence));
  }

  /**
   * Posts an object in JSON.
   *
   * @see #get
   */
  public Answer post(String path, byte[] json, Duration silence) throws IOException {
    HttpURLConnection connection = connection(path, silence);
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(json.length);
    connection.setRequestProperty("Content-Type", "application/json");
    try {
      connection.getOutputStream().write(json);
    } catch (IOException e) {
      connection.disconnect();
      throw e;
    }
    return answer(connection);
  }

  private HttpURLConnection connection(String path, Duration silence) throws IOException {
    var connection = (HttpURLConnection) base.resolve(path).toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection tls) {
      tls.setSSLSocketFactory(authorities());
    }
    connection.setConnectTimeout((int) CONNECT_WITHIN.toMillis());
    connection.setReadTimeout((int) silence.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty("User-Agent", "cordwood");
    connection.setRequestProperty("Authorization", "Bearer " + word("token"));
    return connection;
  }

  private SSLSocketFactory authorities() throws IOException {
    try {
      return Trust.in(account.resolve("ca.crt")).getSocketFactory();
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Answer answer(HttpURLConnection connection) throws IOException {
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
}
