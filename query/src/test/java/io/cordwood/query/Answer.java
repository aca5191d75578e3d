package io.cordwood.query;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** What a server, mostly on this machine, answers over HTTP, to its end and with its trailers. */
public record Answer(int status, byte[] body, HttpURLConnection connection) {
  public static Answer get(int port, String path) throws IOException {
    return ask("GET", port, path);
  }

  /** The same of another machine. */
  public static Answer get(String host, int port, String path) throws IOException {
    return read(connect(host, port, path));
  }

  /** The same over TLS. */
  public static Answer get(String host, int port, String path, SSLContext tls) throws IOException {
    URI uri = URI.create("https://" + host + ":" + port + path);
    var connection = (HttpsURLConnection) uri.toURL().openConnection();
    connection.setSSLSocketFactory(tls.getSocketFactory());
    return read(connection);
  }

  /** The same with a token. */
  public static Answer get(int port, String path, String token) throws IOException {
    HttpURLConnection connection = connect(port, path);
    connection.setRequestProperty("Authorization", "Bearer " + token);
    return read(connection);
  }

  public static Answer ask(String method, int port, String path) throws IOException {
    HttpURLConnection connection = connect(port, path);
    connection.setRequestMethod(method);
    return read(connection);
  }

  public static Answer post(int port, String path, String form) throws IOException {
    HttpURLConnection connection = connect(port, path);
    connection.setDoOutput(true);
    connection.getOutputStream().write(form.getBytes(StandardCharsets.US_ASCII));
    return read(connection);
  }

  private static HttpURLConnection connect(int port, String path) throws IOException {
    return connect("127.0.0.1", port, path);
  }

  private static HttpURLConnection connect(String host, int port, String path) throws IOException {
    URI uri = URI.create("http://" + host + ":" + port + path);
    return (HttpURLConnection) uri.toURL().openConnection();
  }

  private static Answer read(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, in == null ? new byte[0] : in.readAllBytes(), connection);
    }
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** A header or trailer of ours. */
  public @Nullable String field(String name) {
    return connection.getHeaderField("cordwood-" + name);
  }
}
