package io.cordwood.cli.alert;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server for webhooks, which remembers what it gets. */
public final class HookServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();

  /** The answer to the next calls. */
  public volatile int status = 200;

  public HookServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          int answer = status;
          byte[] body = exchange.getRequestBody().readAllBytes();
          calls.incrementAndGet();
          if (answer == 200) {
            bodies.add(
                exchange.getRequestURI().getPath()
                    + " "
                    + new String(body, StandardCharsets.UTF_8));
          }
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    server.start();
  }

  public URI address(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /** The paths and bodies that it has taken. */
  public List<String> bodies() {
    return bodies;
  }

  /** All calls, refused ones too. */
  public int calls() {
    return calls.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
