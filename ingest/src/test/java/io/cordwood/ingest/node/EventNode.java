package io.cordwood.ingest.node;

import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A running node, and the way into it that protocols have. */
public final class EventNode implements AutoCloseable {
  private final RunningNode node;
  private final PushSession session;
  private final EventOrigins origins;
  private final Events events;

  public EventNode(IngestOptions options) throws IOException, RefusedException {
    node = new RunningNode(options);
    var ports = node.node.ports();
    var rights = ports.rights("127.0.0.1", "test");
    session = ports.open(rights, Mode.DURABLE, Duration.ofSeconds(20));
    origins = new EventOrigins(ports.intake(), Optional.empty());
    events = new Events(ports.intake(), session.records());
  }

  public RunningNode node() {
    return node;
  }

  public void keyed(String key) {
    session.records().keyed(key.getBytes(StandardCharsets.UTF_8));
  }

  public void add(Map<String, String> sender, EventTime time, String text, Beside beside)
      throws RefusedException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    session.read(bytes.length + 1, () -> false);
    events.add(origins.of(sender), time, bytes, beside);
  }

  public void commit() throws RefusedException {
    session.commit();
  }

  @Override
  public void close() throws IOException {
    session.close();
    node.close();
  }
}
