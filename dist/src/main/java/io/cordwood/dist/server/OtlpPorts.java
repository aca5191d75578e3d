package io.cordwood.dist.server;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.node.IngestNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ports that answer the paths of OTLP alone, beside that of the API. */
final class OtlpPorts {
  private static final Logger LOG = LoggerFactory.getLogger(OtlpPorts.class);

  private OtlpPorts() {}

  /**
   * Listens on those that are asked for, if the node takes records.
   *
   * @throws IOException naming the port, if it cannot listen there
   */
  static void listen(
      @Nullable IngestFlags flags, @Nullable IngestNode node, HttpServer http, NodeAccess access)
      throws IOException {
    if (flags == null || node == null) {
      return;
    }
    for (int port : flags.foreign.otlpPorts()) {
      Routes otlp = new Routes().guardedBy(access.guard());
      node.addOtlpRoutes(otlp);
      LOG.info("OTLP is taken on port {}", http.listenAlso(port, otlp));
    }
  }
}
