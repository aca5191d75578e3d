package io.cordwood.dist.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.cli.program.Programs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A whole node in this process, on ports of its own, until it is closed; its folder stays. */
final class LiveNode implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path data;
  private final RunGroup group;
  private final StartupBanner banner;

  private LiveNode(Path data, RunGroup group, StartupBanner banner) {
    this.data = data;
    this.group = group;
    this.banner = banner;
  }

  /**
   * Starts one; when this returns, it is ready.
   *
   * @param role ingest or store
   */
  static LiveNode start(String role, Path data, String... flags) throws IOException {
    List<String> words = new ArrayList<>(List.of("--data=" + data, "--api-port=0"));
    words.add("--gossip-port=0");
    words.addAll(List.of(flags));
    var group = new RunGroup();
    try {
      if (role.equals("store")) {
        var store = new StoreCommand();
        parse(role, store, words);
        return new LiveNode(data, group, new Node(store.server, group).start(null, store.store));
      }
      words.addAll(List.of("--fast-port=0", "--durable-port=0", "--bulk-port=0"));
      var ingest = new IngestCommand();
      parse(role, ingest, words);
      return new LiveNode(data, group, new Node(ingest.server, group).start(ingest.ingest, null));
    } catch (IOException | RuntimeException e) {
      group.close();
      throw e;
    }
  }

  private static void parse(String role, NodeCommand command, List<String> words) {
    Programs.parse(Programs.line(role, command), Map.of(), words.toArray(String[]::new));
    command.check();
  }

  int gossipPort() {
    return banner.gossipPort();
  }

  String nodeId() throws IOException {
    return Files.readString(data.resolve("node-id")).strip();
  }

  String get(String path) throws IOException {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  String post(String path, byte[] body) throws IOException {
    return send(HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofByteArray(body)).build());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + banner.apiPort() + path);
  }

  private static String send(HttpRequest request) throws IOException {
    try {
      return CLIENT.send(request, BodyHandlers.ofString(ISO_8859_1)).body();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    group.close();
  }
}
