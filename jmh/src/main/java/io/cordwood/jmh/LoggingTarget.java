package io.cordwood.jmh;

import io.cordwood.common.file.Filesystem;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** The target of events. */
public enum LoggingTarget {
  /** An ingest node, by its durable port. */
  UP,
  /** A port on which nobody listens. */
  DOWN,
  /** A port whose connections nobody reads. */
  HUNG,
  /** A file, each event written at once. */
  FILE,
  /** The framework's asynchronous appender before a file. */
  ASYNC_FILE;

  /**
   * A target that is ready.
   *
   * @param address of a node, or of what is in its place; a file for the others
   */
  record Opened(LoggingTarget kind, String address, Closeable closeable) implements Closeable {
    @Override
    public void close() throws IOException {
      closeable.close();
    }
  }

  Opened open() throws IOException {
    Path folder = Files.createTempDirectory("cordwood-appender");
    return switch (this) {
      case UP -> node(folder);
      case DOWN -> new Opened(this, "127.0.0.1:1", () -> {});
      case HUNG -> {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        yield new Opened(this, "127.0.0.1:" + server.getLocalPort(), server);
      }
      case FILE, ASYNC_FILE -> new Opened(this, folder.resolve("app.log").toString(), () -> {});
    };
  }

  private static Opened node(Path folder) throws IOException {
    IngestOptions options =
        IngestOptions.in(folder)
            .withHandOver(Duration.ZERO)
            .with(new IngestOptions.Listening("127.0.0.1", 0, 0, 2));
    IngestNode node =
        IngestNode.start(
            options, Filesystem.real(), new SimpleMeterRegistry(), InstantSource.system());
    node.startTaking();
    return new Opened(UP, "127.0.0.1:" + node.durablePort(), node::close);
  }
}
