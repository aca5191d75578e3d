package io.cordwood.agent.pods;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.cli.kubernetes.ApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Speaks as the API server of a cluster does, and answers each request with the next thing that a
 * test has prepared. One that has none prepared waits.
 */
public final class FakeApiServer implements AutoCloseable {
  public static final String NODE = "worker-7";

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final BlockingQueue<Reply> lists = new LinkedBlockingQueue<>();
  private final BlockingQueue<Reply> watches = new LinkedBlockingQueue<>();
  private final Path account;

  /** Requests so far, each with its token. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** Lines for people. */
  public final List<String> said = new CopyOnWriteArrayList<>();

  /** Writes an answer. */
  public interface Reply {
    void write(Socket to, OutputStream out) throws IOException;
  }

  public FakeApiServer(Path folder) throws IOException {
    account = folder;
    Files.writeString(folder.resolve("token"), "secret\n");
    Thread.ofVirtual().start(this::accept);
  }

  /** Pods that are asked for here, again at once. */
  public NodePods pods() {
    var server = new ApiServer(URI.create("http://127.0.0.1:" + listener.getLocalPort()), account);
    var pause = new NodePods.Pause(Duration.ofMillis(1), Duration.ofMillis(20));
    return NodePods.start(server, NODE, pause, said::add);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      String path = in.readLine().split(" ", -1)[1];
      String authorization = "";
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        authorization = line.startsWith("Authorization: ") ? line.substring(15) : authorization;
      }
      requests.add(path + " " + authorization);
      Reply reply = (path.contains("watch=1") ? watches : lists).poll(2, TimeUnit.MINUTES);
      if (reply != null) {
        reply.write(socket, socket.getOutputStream());
      }
    } catch (IOException | InterruptedException e) {
      // Whoever asked has gone.
    }
  }

  public void list(Reply reply) {
    lists.add(reply);
  }

  public void watch(Reply reply) {
    watches.add(reply);
  }

  /** Answers with a status and a body. */
  public static Reply status(int status, String body) {
    return (_, out) ->
        out.write(
            ("HTTP/1.1 " + status + " x\r\nConnection: close\r\n\r\n" + body).getBytes(UTF_8));
  }

  /** Answers with a list of pods. */
  public static Reply pods(String version, String next, String... pods) {
    return status(
        200,
        ("{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"%s\",\"continue\":\"%s\"},"
                + "\"items\":[%s]}")
            .formatted(version, next, String.join(",", pods)));
  }

  /** Answers with events, and then ends the connection in some way. */
  public static Reply events(boolean resets, String... events) {
    return (to, out) -> {
      status(200, String.join("\n", events) + "\n").write(to, out);
      if (resets) {
        reset(to);
      }
    };
  }

  private static void reset(Socket socket) throws SocketException {
    socket.setSoLinger(true, 0);
  }

  public static String event(String type, String object) {
    return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
  }

  public static String bookmark(String version) {
    return event(
        "BOOKMARK", "{\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":\"" + version + "\"}}");
  }

  /** A pod, with much that nobody asks for. */
  public static String pod(
      String uid, String version, String node, Map<String, String> labels, String annotations) {
    String texts =
        labels.entrySet().stream()
            .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
            .sorted()
            .collect(Collectors.joining(","));
    return """
    {"metadata":{"name":"web-1","namespace":"shop","uid":"%s","resourceVersion":"%s",\
    "labels":{%s},"annotations":{"other":"x"%s},\
    "ownerReferences":[{"kind":"ReplicaSet","name":"web-5f4d","controller":true,"uid":"u"}],\
    "managedFields":[{"manager":"k","fieldsV1":{"f:metadata":{"f:labels":{".":{}}}}}]},\
    "spec":{"containers":[{"name":"web","env":[{"name":"A","value":"b"}]}],"nodeName":"%s"},\
    "status":{"phase":"Running","podIPs":[{"ip":"10.0.0.1"}]}}\
    """
        .formatted(uid, version, texts, annotations, node);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
