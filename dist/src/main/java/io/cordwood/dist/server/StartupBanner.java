package io.cordwood.dist.server;

import io.cordwood.cli.program.Version;
import io.cordwood.ingest.node.IngestNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The lines that a node prints when it is ready: where to send, how to ask, and the ports it took,
 * each in a line that can be copied.
 *
 * @param ingest null for a node that takes no records
 * @param answers whether it answers queries
 * @param tls whether its ports speak it
 */
record StartupBanner(
    Path data,
    String bind,
    int apiPort,
    @Nullable IngestNode ingest,
    int gossipPort,
    boolean answers,
    boolean tls) {
  private static final int API_PORT = 7650;

  void print(String name, Duration startUp) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "cordwood %s %s is ready after %.1f s; data in %s%n",
            name,
            Version.text(),
            startUp.toMillis() / 1000.0,
            data.toAbsolutePath().normalize()));
    if (ingest != null) {
      appendSend(text, ingest.fastPort());
    }
    if (answers) {
      appendAsk(text);
    }
    text.append("  look    ").append(scheme()).append(at(apiPort)).append("/\n");
    text.append("  ports   api=").append(apiPort);
    if (ingest != null) {
      appendPorts(text, ingest);
    }
    text.append(" gossip=").append(gossipPort).append(" bind=").append(bind).append('\n');
    System.out.print(text);
    System.out.flush();
  }

  private static void appendPorts(StringBuilder text, IngestNode node) {
    text.append(" fast=").append(node.fastPort());
    text.append(" durable=").append(node.durablePort());
    text.append(" bulk=").append(node.bulkPort());
    node.foreignPorts()
        .forEach((protocol, port) -> text.append(' ').append(protocol).append('=').append(port));
  }

  private void appendSend(StringBuilder text, int port) {
    if (tls) {
      text.append("  send    tail -F app.log | cordwood forward tls://")
          .append(at(port))
          .append('\n');
      return;
    }
    text.append("  send    tail -F app.log | cordwood forward ").append(at(port)).append('\n');
    text.append("          echo 'an error' | nc -w 1 ").append(host()).append(' ').append(port);
    text.append('\n');
  }

  private void appendAsk(StringBuilder text) {
    String node =
        apiPort == API_PORT && isHere() && !tls
            ? ""
            : "--node " + (tls ? scheme() : "") + at(apiPort) + " ";
    text.append("  ask     cordwood grep ").append(node).append("error\n");
    text.append("          curl '")
        .append(scheme())
        .append(at(apiPort))
        .append("/query?q=error'\n");
  }

  private String scheme() {
    return tls ? "https://" : "http://";
  }

  private String at(int port) {
    return (host().indexOf(':') < 0 ? host() : "[" + host() + "]") + ":" + port;
  }

  private String host() {
    return isHere() ? "localhost" : bind;
  }

  private boolean isHere() {
    return bind.equals("127.0.0.1") || bind.equals("0.0.0.0") || bind.equals("localhost");
  }
}
