package io.cordwood.common.bucket;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** A bucket for credentials of a session, which a container's address gives, and which end. */
public final class SessionPlace implements AutoCloseable {
  private static final String KEYS =
      "{\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"%s\",\"Expiration\":\"2126-11-27T00:00:00Z\"}"
          .formatted(S3Server.ID, S3Server.SECRET);

  private final HttpServer container;
  private final S3Server service;

  /** Has the service refuse the credentials as too old, and the address give no others. */
  public volatile boolean isOver;

  public SessionPlace() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    container = HttpServer.create(new InetSocketAddress(here, 0), 0);
    container.createContext("/", this::answer);
    container.start();
    service =
        new S3Server(
            here,
            new S3Server.Trouble() {
              @Override
              public Optional<S3Server.Fault> fault(HttpExchange request) {
                return isOver ? Optional.of(S3Server.Fault.EXPIRED) : Optional.empty();
              }

              @Override
              public boolean hides(HttpExchange list, String key) {
                return false;
              }
            });
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] keys = KEYS.getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(isOver ? 404 : 200, keys.length);
      exchange.getResponseBody().write(keys);
    }
  }

  public Bucket open() throws IOException {
    return BucketUrl.parse(service.url("p"))
        .open(
            Map.of(
                ContainerKeys.FULL,
                "http://127.0.0.1:" + container.getAddress().getPort(),
                "HOME",
                "/nowhere"));
  }

  @Override
  public void close() {
    service.close();
    container.stop(0);
  }
}
