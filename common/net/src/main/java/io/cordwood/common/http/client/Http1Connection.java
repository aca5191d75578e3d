package io.cordwood.common.http.client;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.tls.ClientTls;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a server, for one call in HTTP/1.1, after which the server closes it.
 * Its methods block; one thread, but for {@link #close}, which ends what another one waits for.
 */
final class Http1Connection implements Closeable {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** The position of the status in the first line. */
  private static final int STATUS_START = "HTTP/1.1 ".length();

  private static final int STATUS_END = STATUS_START + 3;

  private final Socket socket;
  private final Http1Input input;

  private Http1Connection(Socket socket) throws IOException {
    this.socket = socket;
    this.input = new Http1Input(socket.getInputStream());
  }

  /**
   * A request.
   *
   * @param form parameters to be posted, encoded as those of an address are; null for no body
   * @param headers besides
   */
  record Call(String method, URI uri, @Nullable String form, Map<String, String> headers) {
    private String head() {
      var head = new StringBuilder(method).append(' ').append(RequestTarget.of(uri));
      head.append(" HTTP/1.1\r\nHost: ").append(uri.getAuthority());
      head.append("\r\nUser-Agent: cordwood\r\nAccept: */*\r\n");
      headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      head.append("Connection: close\r\n");
      if (form != null) {
        head.append("Content-Type: ").append(ApiParams.FORM_TYPE).append("\r\n");
      }
      if (form != null) {
        head.append("Content-Length: ").append(form.length()).append("\r\n");
      }
      return head.append("\r\n").append(form == null ? "" : form).toString();
    }
  }

  /**
   * The head of an answer, whose body is still coming.
   *
   * @param fields headers by their names in small letters; once the body is read to its end,
   *     trailers too
   */
  record Answer(int status, Map<String, String> fields, InputStream body) {}

  /**
   * Connects to the first address of the host that can be reached.
   *
   * @param timeout also of a TLS handshake
   * @param tls for {@code https}; empty for what the JVM trusts
   */
  static Http1Connection open(URI uri, Duration timeout, Optional<ClientTls> tls)
      throws IOException {
    IOException failure = new UnknownHostException(uri.getHost());
    for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
      Socket socket = new Socket();
      try {
        int millis = Math.toIntExact(timeout.toMillis());
        socket.connect(new InetSocketAddress(address, uri.getPort()), millis);
        socket.setTcpNoDelay(true);
        return new Http1Connection(
            uri.getScheme().equals("https") ? secured(socket, uri, millis, tls) : socket);
      } catch (SSLException e) {
        throw e; // for every address, the certificate would be that one
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure;
  }

  private static Socket secured(Socket socket, URI uri, int millis, Optional<ClientTls> tls)
      throws IOException {
    socket.setSoTimeout(millis);
    return tls.orElseGet(ClientTls::usual).secure(socket, bare(uri.getHost()));
  }

  /** An IPv6 address stands in brackets in addresses, and in certificates without. */
  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  void send(Call call) throws IOException {
    socket.getOutputStream().write(call.head().getBytes(StandardCharsets.US_ASCII));
  }

  /** From now on, the longest wait for the next bytes. */
  void setTimeout(Duration timeout) throws SocketException {
    socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
  }

  /** Waits for the first byte of an answer; false if the server has closed the connection. */
  boolean awaitAnswer() throws IOException {
    return input.await();
  }

  /** Reads the head of the answer to a call that was sent. */
  Answer answer(Call call) throws IOException {
    Optional<Answer> answer = nextHead(call);
    while (answer.isEmpty()) {
      answer = nextHead(call);
    }
    return answer.get();
  }

  /** Reads the next head; empty if it only says that an answer is to come. */
  private Optional<Answer> nextHead(Call call) throws IOException {
    Map<String, String> fields = new TreeMap<>();
    int status = status(input.line());
    input.fields(fields);
    return status < OK ? Optional.empty() : Optional.of(answer(call, status, fields));
  }

  private Answer answer(Call call, int status, Map<String, String> fields) throws IOException {
    if (call.method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED) {
      return new Answer(status, fields, InputStream.nullInputStream());
    }
    return new Answer(status, fields, new Http1Body(input, fields));
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

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is sent or awaited any more.
    }
  }
}
