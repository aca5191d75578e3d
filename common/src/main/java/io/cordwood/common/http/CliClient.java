package io.cordwood.common.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client of the command line: HTTP/1.1 on a socket, since any other client takes longer to load
 * than a node takes to answer. Each call is a connection of its own. Safe for all threads.
 */
public final class CliClient {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** Where the status stands in the first line. */
  private static final int STATUS_START = "HTTP/1.1 ".length();

  private static final int STATUS_END = STATUS_START + 3;

  private static final String IS_API_PORT = " is this its API port?";

  /** A node that is there, and shows how far it has come, begins to answer long before. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  private final Duration connectTimeout;
  private final Duration readTimeout;
  private final Consumer<String> whenSilent;

  /**
   * @param connectTimeout for the connection to be made
   * @param readTimeout longest wait for the next bytes
   */
  public CliClient(Duration connectTimeout, Duration readTimeout) {
    this(connectTimeout, readTimeout, _ -> {});
  }

  /**
   * The same.
   *
   * @param whenSilent is told, once a call, that nothing has come for three seconds; the call goes
   *     on
   */
  public CliClient(Duration connectTimeout, Duration readTimeout, Consumer<String> whenSilent) {
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
    this.whenSilent = whenSilent;
  }

  /**
   * An answer, whose body is still coming. To be closed.
   *
   * @param status HTTP status
   * @param body of success or of error
   * @param fields headers by their names in small letters; once the body is read to its end,
   *     trailers too
   */
  public record Answer(
      int status, InputStream body, Map<String, String> fields, Closeable connection)
      implements AutoCloseable {
    /** A header, or null; once the body is read to its end, also a trailer. */
    public @Nullable String header(String name) {
      return fields.get(lowerCase(name));
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (IOException e) {
        // Nothing is sent or awaited any more.
      }
    }
  }

  static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
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
    return send("POST", uri, parameters);
  }

  private Answer send(String method, URI uri, @Nullable String form) throws IOException {
    try {
      Socket socket = connected(uri);
      try {
        return ask(socket, method, uri, form);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw explained(uri.getAuthority(), e);
    }
  }

  /** To the first address of the host that can be reached. */
  private Socket connected(URI uri) throws IOException {
    IOException failure = new UnknownHostException(uri.getHost());
    for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
      Socket socket = new Socket();
      try {
        int millis = Math.toIntExact(connectTimeout.toMillis());
        socket.connect(new InetSocketAddress(address, uri.getPort()), millis);
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure;
  }

  private Answer ask(Socket socket, String method, URI uri, @Nullable String form)
      throws IOException {
    String request = request(method, uri, form);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    var input = new CliInput(socket.getInputStream());
    awaitFirstByte(socket, input, uri.getAuthority());
    Map<String, String> fields = new TreeMap<>();
    int status = 0;
    while (status < OK) { // less only says that an answer is to come
      fields.clear();
      status = status(input.line());
      input.fields(fields);
    }
    boolean bare = method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED;
    InputStream body = bare ? InputStream.nullInputStream() : new CliBody(input, fields);
    return new Answer(status, body, fields, socket);
  }

  private void awaitFirstByte(Socket socket, CliInput input, String node) throws IOException {
    if (readTimeout.compareTo(SILENCE) > 0) {
      socket.setSoTimeout(Math.toIntExact(SILENCE.toMillis()));
      try {
        input.await();
      } catch (SocketTimeoutException e) {
        whenSilent.accept(node + ": no answer for " + SILENCE.toSeconds() + " s;" + IS_API_PORT);
      }
    }
    socket.setSoTimeout(Math.toIntExact(readTimeout.toMillis()));
  }

  private static String request(String method, URI uri, @Nullable String form) {
    var request = new StringBuilder(method).append(' ').append(uri.getRawPath());
    if (uri.getRawQuery() != null) {
      request.append('?').append(uri.getRawQuery());
    }
    request.append(" HTTP/1.1\r\nHost: ").append(uri.getAuthority());
    request.append("\r\nUser-Agent: cordwood\r\nAccept: */*\r\nConnection: close\r\n");
    if (form != null) {
      request.append("Content-Type: ").append(Request.FORM);
      request.append("\r\nContent-Length: ").append(form.length()).append("\r\n");
    }
    return request.append("\r\n").append(form == null ? "" : form).toString();
  }

  private static int status(String line) throws IOException {
    if (line.startsWith("HTTP/1.") && line.length() >= STATUS_END) {
      try {
        return Integer.parseInt(line, STATUS_START, STATUS_END, 10);
      } catch (NumberFormatException e) {
        throw new IOException("expected an answer in HTTP/1.1, found \"" + line + "\"", e);
      }
    }
    throw new IOException("expected an answer in HTTP/1.1, found other bytes");
  }

  private IOException explained(String node, IOException e) {
    return switch (e) {
      case UnknownHostException _ -> new IOException(node + ": no such host", e);
      case ConnectException _ ->
          new IOException(
              node
                  + ": cannot connect ("
                  + e.getMessage()
                  + "); is a node running there, and"
                  + IS_API_PORT,
              e);
      case SocketTimeoutException _ ->
          new IOException(
              node + ": no answer in time (" + e.getMessage() + "); is the node overloaded?", e);
      default -> new IOException(node + ": " + e.getMessage() + ";" + IS_API_PORT, e);
    };
  }
}
