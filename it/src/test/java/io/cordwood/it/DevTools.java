package io.cordwood.it;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The DevTools protocol over a WebSocket: commands and their results, and events. JSON is maps,
 * lists, texts, numbers and truth values; null is left out.
 */
final class DevTools implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<Map<String, Object>>> waiting =
      new ConcurrentHashMap<>();
  private final List<Consumer<Map<String, Object>>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final WebSocket socket;

  DevTools(URI address) {
    socket = http.newWebSocketBuilder().buildAsync(address, new Messages()).join();
  }

  /** Calls a listener with each event, on the socket's thread. */
  void listen(Consumer<Map<String, Object>> listener) {
    listeners.add(listener);
  }

  /** Sends a command and waits for its result; fails with what the browser says is wrong. */
  Map<String, Object> send(String method, Map<String, ?> parameters) throws IOException {
    return send(method, parameters, Program.LONG);
  }

  /** The same, but fails when there is no result for so long. */
  Map<String, Object> send(String method, Map<String, ?> parameters, Duration longest)
      throws IOException {
    int id = lastId.incrementAndGet();
    var answer = new CompletableFuture<Map<String, Object>>();
    waiting.put(id, answer);
    String text = text(Map.of("id", id, "method", method, "params", parameters));
    try {
      synchronized (this) {
        socket.sendText(text, true).get(Program.LONG.toSeconds(), TimeUnit.SECONDS);
      }
      Map<String, Object> message = answer.get(longest.toSeconds(), TimeUnit.SECONDS);
      if (message.containsKey("error")) {
        throw new IOException(method + ": " + message.get("error"));
      }
      return map(message.get("result"));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(method + " is not answered by the browser", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      waiting.remove(id);
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }

  static String text(Object value) {
    var text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write(json, value);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach((name, each) -> {
          json.writeName(name.toString());
          write(json, each);
        });
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(each -> write(json, each));
        json.writeEndArray();
      }
      case Boolean truth -> json.writeBoolean(truth);
      case Integer number -> json.writeNumber(number);
      case Number number -> json.writeNumber(number.doubleValue());
      default -> json.writeString(value.toString());
    }
  }

  private static @Nullable Object read(String text) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      json.nextToken();
      return read(json);
    }
  }

  private static @Nullable Object read(JsonParser json) {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        var map = new HashMap<String, Object>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          Object value = read(json);
          if (value != null) {
            map.put(name, value);
          }
        }
        yield map;
      }
      case START_ARRAY -> {
        var list = new ArrayList<Object>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          Object value = read(json);
          if (value != null) {
            list.add(value);
          }
        }
        yield list;
      }
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private void receive(String text) {
    Map<String, Object> message = map(read(text));
    if (message.get("id") instanceof Double id) {
      var answer = waiting.get(id.intValue());
      if (answer != null) {
        answer.complete(message);
      }
    } else {
      listeners.forEach(listener -> listener.accept(message));
    }
  }

  @Override
  public void close() {
    socket.abort();
    http.shutdownNow();
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder part = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        receive(part.toString());
        part.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
