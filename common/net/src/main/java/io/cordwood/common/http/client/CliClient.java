package io.cordwood.common.http.client;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.RepeatedTrailers;
import io.cordwood.common.tls.ClientTls;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The client of the command line: HTTP/1.1 on a socket, since any other client takes longer to load
 * than a node takes to answer. Each call is a connection of its own. Safe for all threads.
 */
public final class CliClient {
  private static final String IS_API_PORT = " is this its API port?";

  /** A node that is there, and shows how far it has come, begins to answer long before. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  /** A node that searches for long, under whatever load, says within that time that it lives. */
  private static final Duration PROBE = Duration.ofSeconds(10);

  private final Duration connectTimeout;
  private final Duration readTimeout;
  private final Consumer<String> whenSilent;
  private final Duration silence;
  private final Duration probe;
  private final Optional<String> token;
  private final Optional<ClientTls> tls;

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
   *     on as long as the node answers {@link ApiPaths#HEALTHY} within ten seconds
   */
  public CliClient(Duration connectTimeout, Duration readTimeout, Consumer<String> whenSilent) {
    this(
        connectTimeout,
        readTimeout,
        whenSilent,
        SILENCE,
        PROBE,
        Optional.empty(),
        Optional.empty());
  }

  CliClient(
      Duration connectTimeout,
      Duration readTimeout,
      Consumer<String> whenSilent,
      Duration silence,
      Duration probe) {
    this(
        connectTimeout,
        readTimeout,
        whenSilent,
        silence,
        probe,
        Optional.empty(),
        Optional.empty());
  }

  private CliClient(
      Duration connectTimeout,
      Duration readTimeout,
      Consumer<String> whenSilent,
      Duration silence,
      Duration probe,
      Optional<String> token,
      Optional<ClientTls> tls) {
    this.token = token;
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
    this.whenSilent = whenSilent;
    this.silence = silence;
    this.probe = probe;
    this.tls = tls;
  }

  /** This client, with another TLS for {@code https} than what the JVM trusts. */
  public CliClient withTls(Optional<ClientTls> other) {
    return new CliClient(connectTimeout, readTimeout, whenSilent, silence, probe, token, other);
  }

  /** This client, showing a token, if there is one. */
  public CliClient withToken(Optional<String> shown) {
    return new CliClient(connectTimeout, readTimeout, whenSilent, silence, probe, shown, tls);
  }

  /**
   * An answer, whose body is still coming. To be closed.
   *
   * @param status HTTP status
   * @param body of success or of error
   * @param fields headers by their names in small letters; once the body is read to its end,
   *     trailers too, even if a proxy drops them
   */
  public record Answer(
      int status, InputStream body, Map<String, String> fields, Closeable connection)
      implements AutoCloseable {
    /** A header, or null; once the body is read to its end, also a trailer. */
    public @Nullable String header(String name) {
      return fields.get(Http1Input.lowerCase(name));
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
      Http1Connection connection = Http1Connection.open(uri, connectTimeout, tls);
      try {
        String mark = RepeatedTrailers.newMark();
        var call = new Http1Connection.Call(method, uri, form, headers(mark));
        return ask(connection, call, mark);
      } catch (IOException e) {
        connection.close();
        throw e;
      }
    } catch (IOException e) {
      throw explained(uri.getAuthority(), e);
    }
  }

  private Map<String, String> headers(String mark) {
    return token
        .map(text -> Map.of(RepeatedTrailers.HEADER, mark, "Authorization", "Bearer " + text))
        .orElse(Map.of(RepeatedTrailers.HEADER, mark));
  }

  private Answer ask(Http1Connection connection, Http1Connection.Call call, String mark)
      throws IOException {
    connection.send(call);
    awaitFirstByte(connection, call.uri());
    Http1Connection.Answer answer = connection.answer(call);
    var body = new RepeatedTrailers(answer.body(), mark, answer.fields());
    return new Answer(answer.status(), body, answer.fields(), connection);
  }

  /** A node that is stopped, and another program's port, never begin to answer. */
  private void awaitFirstByte(Http1Connection connection, URI uri) throws IOException {
    long end = System.nanoTime() + readTimeout.toNanos();
    boolean silent = readTimeout.compareTo(silence) > 0;
    for (boolean said = false; silent && System.nanoTime() - end < 0; said = true) {
      connection.setTimeout(silence);
      try {
        boolean _ = connection.awaitAnswer();
        silent = false;
      } catch (SocketTimeoutException e) {
        if (!said) {
          whenSilent.accept(
              uri.getAuthority() + ": no answer for " + silence.toSeconds() + " s;" + IS_API_PORT);
        }
        probe(uri);
      }
    }
    connection.setTimeout(readTimeout);
  }

  private void probe(URI uri) throws IOException {
    URI healthy = uri.resolve('.' + ApiPaths.HEALTHY); // There may be a path of a proxy before it.
    Http1Connection connection = Http1Connection.open(healthy, connectTimeout, tls);
    try {
      var call = new Http1Connection.Call("GET", healthy, null, Map.of());
      connection.send(call);
      connection.setTimeout(probe);
      var _ = connection.answer(call);
    } catch (SocketTimeoutException e) {
      throw new IOException(
          "no answer for %d s, nor to whether it is alive: it hangs, or is stopped"
              .formatted(silence.plus(probe).toSeconds()),
          e);
    } finally {
      connection.close();
    }
  }

  private IOException explained(String node, IOException e) {
    return switch (e) {
      case SSLException _ -> new IOException(node + ": " + e.getMessage(), e);
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
