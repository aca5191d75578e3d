package io.cordwood.ingest.node;

import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.IngestOptions.ForeignPorts;
import io.cordwood.ingest.datadog.DatadogRoutes;
import io.cordwood.ingest.elastic.ElasticRoutes;
import io.cordwood.ingest.fluent.FluentForward;
import io.cordwood.ingest.gelf.GelfPorts;
import io.cordwood.ingest.gelf.GelfRoutes;
import io.cordwood.ingest.journald.JournaldRoutes;
import io.cordwood.ingest.jsonline.JsonLineRoutes;
import io.cordwood.ingest.loki.LokiRoutes;
import io.cordwood.ingest.otlp.OtlpRoutes;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.DatagramListener;
import io.cordwood.ingest.socket.ForeignPort;
import io.cordwood.ingest.splunk.SplunkRoutes;
import io.cordwood.ingest.syslog.SyslogPorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All protocols that are not Cordwood's own: those with ports, and those of the API's port. */
final class ForeignProtocols implements AutoCloseable {
  private final List<ForeignPort> listening = new ArrayList<>();

  private ForeignProtocols() {}

  /**
   * Listens on the ports that are asked for.
   *
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  static ForeignProtocols start(PushPorts ports) throws IOException {
    var protocols = new ForeignProtocols();
    try {
      protocols.listen(ports);
      return protocols;
    } catch (IOException | RuntimeException e) {
      protocols.close();
      throw e;
    }
  }

  private void listen(PushPorts ports) throws IOException {
    ForeignPorts asked = ports.intake().options().listening().foreign();
    for (String protocol : new String[] {"syslog", "gelf"}) {
      DatagramListener.showMetrics(protocol, ports.intake().metrics().registry);
    }
    if (asked.syslog().isPresent()) {
      listening.addAll(SyslogPorts.start(asked.syslog().getAsInt(), ports));
    }
    if (asked.fluent().isPresent()) {
      listening.add(FluentForward.listen(ports, asked.fluent().getAsInt()));
    }
    if (asked.gelf().isPresent()) {
      listening.addAll(GelfPorts.start(asked.gelf().getAsInt(), ports));
    }
  }

  /** The numbers of the ports that are listened on, by protocol. */
  Map<String, Integer> ports() {
    var ports = new LinkedHashMap<String, Integer>();
    listening.forEach(each -> ports.putIfAbsent(each.protocol(), each.port()));
    return ports;
  }

  void addTo(Routes routes, PushPorts ports) {
    new ElasticRoutes(ports).addTo(routes);
    new LokiRoutes(ports).addTo(routes);
    new JsonLineRoutes(ports).addTo(routes);
    new SplunkRoutes(ports).addTo(routes);
    new DatadogRoutes(ports).addTo(routes);
    new GelfRoutes(ports).addTo(routes);
    new JournaldRoutes(ports).addTo(routes);
    new OtlpRoutes(ports).addTo(routes);
  }

  void startAccepting() {
    listening.forEach(ForeignPort::startAccepting);
  }

  void stopAccepting() throws IOException {
    for (ForeignPort each : listening) {
      each.stopAccepting();
    }
  }

  @Override
  public void close() throws IOException {
    for (ForeignPort each : listening) {
      each.close();
    }
  }
}
