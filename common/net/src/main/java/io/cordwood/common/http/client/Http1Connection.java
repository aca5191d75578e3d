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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a server, for one call in HTTP/1.1 after the other. Its methods block;
 * one thread, but for {@link #close} and {@link #abort}, which end what another one waits for.
 */
final class Http1Connection implements Closeable {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** The position of the status in the first line. */
  private static final int STATUS_START = "HTTP/1.1 ".length();

  private static final int STATUS_END = STATUS_START + 3;

  private final Socket transport;
  private final Socket socket;
  private final Http1Input input;

  private Http1Connection(Socket transport, Socket socket) throws IOException {
    this.transport = transport;
    this.socket = socket;
    this.input = new Http1Input(socket.getInputStream());
  }

  /**
   * A request.
   *
   * @param form parameters to be posted, encoded as those of an address are; null for no body
   * @param upload bytes of a body that is sent once the server asks for it; 0 for none
   * @param last whether the server is to close the connection after its answer
   * @param headers besides
   */
  record Call(
      String method,
      URI uri,
      @Nullable String form,
      long upload,
      boolean last,
      Map<String, String> headers) {
    Call(String method, URI uri, @Nullable String form, boolean last) {
      this(method, uri, form, 0, last, Map.of());
    }

    static Call upload(URI uri, long bytes) {
      return new Call("POST", uri, null, bytes, false, Map.of());
    }

    /** The request target, as in the first line. */
    String target() {
      return uri.getRawQuery() == null
          ? uri.getRawPath()
          : uri.getRawPath() + '?' + uri.getRawQuery();
    }

    Call with(Map<String, String> others) {
      return new Call(method, uri, form, upload, last, others);
    }

    private String head() {
      var head = new StringBuilder(method).append(' ').append(target());
      head.append(" HTTP/1.1\r\nHost: ").append(uri.getAuthority());
      head.append("\r\nUser-Agent: cordwood\r\nAccept: */*\r\n");
      headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      if (last) {
        head.append("Connection: close\r\n");
      }
      if (form != null) {
        head.append("Content-Type: ").append(ApiParams.FORM_TYPE).append("\r\n");
      }
      if (upload > 0) {
        head.append("Expect: 100-continue\r\n");
      }
      if (form != null || method.equals("POST")) {
        long bytes = form == null ? upload : form.length();
        head.append("Content-Length: ").append(bytes).append("\r\n");
      }
      return head.append("\r\n").append(form == null ? "" : form).toString();
    }
  }

  /**
   * The head of an answer, whose body is still coming.
   *
   * @param fields headers by their names in small letters; once the body is read to its end,
   *     trailers too
   * @param bounded whether the body's end is told, and not that of the connection
   */
  record Answer(int status, Map<String, String> fields, InputStream body, boolean bounded) {
    /** Whether another call can follow once the body is read to its end. */
    boolean leavesOpen() {
      return bounded && !"close".equalsIgnoreCase(fields.get("connection"));
    }
  }

  static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

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
            socket, uri.getScheme().equals("https") ? secured(socket, uri, millis, tls) : socket);
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

  /** Reads the next head; empty if it only says that an answer is to come, after the body. */
  Optional<Answer> nextHead(Call call) throws IOException {
    Map<String, String> fields = new TreeMap<>();
    int status = status(input.line());
    input.fields(fields);
    return status < OK ? Optional.empty() : Optional.of(answer(call, status, fields));
  }

  private Answer answer(Call call, int status, Map<String, String> fields) throws IOException {
    if (call.method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED) {
      return new Answer(status, fields, InputStream.nullInputStream(), true);
    }
    var body = new Http1Body(input, fields);
    return new Answer(status, fields, body, body.isBounded());
  }

  /** Sends a piece of the body of a call. */
  void send(byte[] piece) throws IOException {
    socket.getOutputStream().write(piece);
  }

  /** Whether bytes have come that no call asked for. */
  boolean hasUnread() {
    return input.buffered() > 0;
  }

  /** Whether an answer has begun to come; over TLS, it may have without being seen here. */
  boolean isAnswering() throws IOException {
    return hasUnread() || socket.getInputStream().available() > 0;
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
    close(socket);
  }

  /**
   * Ends it at once, whatever another thread does with it: closing TLS properly would wait for a
   * write that runs.
   */
  void abort() {
    close(transport);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is sent or awaited any more.
    }
  }
}
