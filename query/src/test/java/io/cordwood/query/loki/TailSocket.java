package io.cordwood.query.loki;

import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Follows a node by a WebSocket, as Grafana and logcli do, and keeps the messages. */
final class TailSocket implements AutoCloseable, WebSocket.Listener {
  private final List<String> messages = new ArrayList<>();
  private final StringBuilder part = new StringBuilder();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private volatile boolean reads;

  /**
   * @param reads whether it takes messages before it is told to
   */
  TailSocket(int port, String path, boolean reads, boolean categorizes) {
    this.reads = reads;
    WebSocket.Builder builder = http.newWebSocketBuilder();
    if (categorizes) {
      builder.header("X-Loki-Response-Encoding-Flags", "categorize-labels");
    }
    socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + port + path), this).join();
  }

  @Override
  public void onOpen(WebSocket opened) {
    if (reads) {
      opened.request(Long.MAX_VALUE);
    }
  }

  void read() {
    reads = true;
    socket.request(Long.MAX_VALUE);
  }

  @Override
  public synchronized @Nullable CompletionStage<?> onText(
      WebSocket from, CharSequence data, boolean isLast) {
    part.append(data);
    if (isLast) {
      messages.add(part.toString());
      part.setLength(0);
    }
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket closed, int code, String reason) {
    end.complete(code);
    return null;
  }

  synchronized List<String> messages() {
    return List.copyOf(messages);
  }

  void awaitText(String text) {
    await().alias(text).until(() -> String.join("\n", messages()).contains(text));
  }

  int awaitEnd() {
    return end.join();
  }

  @Override
  public void close() {
    socket.abort();
    http.shutdownNow();
  }
}
