package io.cordwood.it;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The HTTP API of one node.
 *
 * @param tls if the node speaks it
 */
record NodeApi(HostPort address, Optional<ClusterTls> tls) {
  /** Longer than a machine stands still; who was cut off is tried again before a test fails. */
  private static final Duration CONNECT = Program.LONG.dividedBy(4);

  private static final Duration PROBE = Duration.ofSeconds(2);
  private static final HttpClient HTTP = client(HttpClient.newBuilder());

  /** In clear text. */
  NodeApi(HostPort address) {
    this(address, Optional.empty());
  }

  static HttpClient client(HttpClient.Builder builder) {
    return builder.version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();
  }

  HttpResponse<String> request(String method, String pathAndQuery) throws IOException {
    return request(method, pathAndQuery, Program.LONG);
  }

  /**
   * Whether it is ready; asked anew each time, since what stands between may take a connection for
   * a node that is not there yet, and never answer.
   */
  boolean isReady() throws IOException {
    return request("GET", "/-/ready", PROBE).statusCode() == 200;
  }

  private HttpResponse<String> request(String method, String pathAndQuery, Duration longest)
      throws IOException {
    String scheme = tls.isPresent() ? "https://" : "http://";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheme + address + pathAndQuery))
            .timeout(longest)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    var answer = tls.map(ClusterTls::http).orElse(HTTP).sendAsync(request, BodyHandlers.ofString());
    try {
      // The timeout of the request ends with the headers of the answer.
      return answer.get(longest.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException(pathAndQuery + " has not ended in " + longest, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** What it answers to GET, whatever the status. */
  String get(String path) throws IOException {
    return request("GET", path).body();
  }

  /** The answer to a query; fails if it is not 200. */
  String query(String parameters) throws IOException {
    HttpResponse<String> response = request("GET", "/query?" + parameters);
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  /** The lines of the answer for a literal; empty: all records. */
  List<String> find(String literal) throws IOException {
    String answer = query("q=" + URLEncoder.encode(literal, StandardCharsets.UTF_8));
    // Not lines(): a CR belongs to the record.
    return answer.isEmpty() ? List.of() : List.of(answer.split("\n"));
  }

  /** How many records hold a literal. */
  long count(String literal) throws IOException {
    String query = "count=true&q=" + URLEncoder.encode(literal, StandardCharsets.UTF_8);
    return Long.parseLong(query(query).strip());
  }

  /** The value of a metric; of one named without its labels, the sum over all labels. */
  double metric(String name) throws IOException {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
