package io.cordwood.common.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The client of the command line: HTTP/1.1, and light when a process starts. One call after the
 * other.
 */
public final class CliClient {
  private final Duration connectTimeout;
  private final Duration readTimeout;

  /**
   * @param connectTimeout for the connection to be made
   * @param readTimeout longest wait for the next bytes
   */
  public CliClient(Duration connectTimeout, Duration readTimeout) {
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
  }

  /**
   * An answer, whose body is still coming. To be closed.
   *
   * @param status HTTP status
   * @param body of success or of error
   */
  public record Answer(int status, InputStream body, HttpURLConnection connection)
      implements AutoCloseable {
    /** A header, or null; once the body is read to its end, also a trailer. */
    public @Nullable String header(String name) {
      return connection.getHeaderField(name);
    }

    @Override
    public void close() {
      connection.disconnect();
    }
  }

  /**
   * Asks, and returns when the answer's headers are here.
   *
   * @throws IOException with a message for people, that names host and port
   */
  public Answer get(URI uri) throws IOException {
    return send("GET", uri, null);
  }

  /** Asks for the headers alone. */
  public Answer head(URI uri) throws IOException {
    return send("HEAD", uri, null);
  }

  /** Posts parameters, encoded as those of an address are, in a form. */
  public Answer postForm(URI uri, String parameters) throws IOException {
    return send("POST", uri, parameters.getBytes(StandardCharsets.US_ASCII));
  }

  private Answer send(String method, URI uri, byte @Nullable [] form) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(Math.toIntExact(connectTimeout.toMillis()));
    connection.setReadTimeout(Math.toIntExact(readTimeout.toMillis()));
    connection.setInstanceFollowRedirects(false);
    try {
      if (form != null) {
        connection.setRequestProperty("content-type", Request.FORM);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(form.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(form);
        }
      }
      int status = connection.getResponseCode();
      InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream();
      return new Answer(status, body == null ? InputStream.nullInputStream() : body, connection);
    } catch (IOException e) {
      connection.disconnect();
      throw explained(uri.getAuthority(), e);
    }
  }

  private IOException explained(String node, IOException e) {
    return switch (e) {
      case UnknownHostException _ -> new IOException(node + ": no such host", e);
      case ConnectException _ ->
          new IOException(
              node
                  + ": cannot connect ("
                  + e.getMessage()
                  + "); is a node running there, and is this its API port?",
              e);
      case SocketTimeoutException _ ->
          new IOException(
              node + ": no answer in time (" + e.getMessage() + "); is the node overloaded?", e);
      default -> new IOException(node + ": " + e.getMessage(), e);
    };
  }
}
