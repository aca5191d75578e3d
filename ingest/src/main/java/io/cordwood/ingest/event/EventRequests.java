package io.cordwood.ingest.event;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.bulk.RequestOrigin;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushMetrics;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.push.PushSession;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Requests of one foreign protocol: what all of them have in common.
 *
 * <pre>
 *   ?topic=NAME          the topic of all events, whatever they say
 *   ?label.NAME=VALUE    a label of all events
 *   ?extra_fields=A=B,…  the same, as VictoriaLogs has it where its clients ask
 *   ?durability=fast     acknowledged without a force; durable is the default
 * </pre>
 *
 * <p>For all threads.
 */
public final class EventRequests {
  private static final String EXTRA = "extra_fields";
  private static final String EXTRA_HEADER = "vl-extra-fields";

  private final PushPorts ports;
  private final PushMetrics metrics;

  /**
   * @param protocol the label of its metrics
   */
  public EventRequests(PushPorts ports, String protocol) {
    this.ports = ports;
    this.metrics = new PushMetrics(ports.intake().metrics().registry, protocol);
  }

  /** Reads the events of one request. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads all of a body, and adds its events.
     *
     * @throws HttpError if it is not as it must be
     */
    void read(InputStream body, EventOrigins origins, Events events)
        throws IOException, RefusedException;
  }

  /** Reads the events of one request by means of its session. */
  @FunctionalInterface
  public interface SessionReader {
    /** As {@link Reader#read}. */
    void read(InputStream body, EventOrigins origins, PushSession session)
        throws IOException, RefusedException;
  }

  /**
   * Takes the events of a request; when this returns, they are as safe as they are to be.
   *
   * @throws HttpError if that is not so: 503 if the client may come again, with all else never.
   *     400, too, if there are events that the token may not send; the others are stored then
   */
  public void take(Request request, Response response, Reader reader) throws IOException {
    Intake intake = ports.intake();
    long _ =
        take(
            request,
            response,
            intake.options().bulk().maxBytes(),
            (body, origins, session) -> {
              var forbidden = new ForbiddenEvents();
              var events = new Events(intake, session.records());
              events.whenForbidden(forbidden);
              reader.read(body, origins, events);
              forbidden.check(session);
            });
  }

  /**
   * The same for bodies of another length than an upload may have.
   *
   * @param maxBytes of the body, unpacked
   * @return how many records it was
   */
  public long take(Request request, Response response, long maxBytes, SessionReader reader)
      throws IOException {
    boolean stored = false;
    try {
      Mode mode = mode(request);
      EventOrigins origins = origins(request);
      long records =
          ports.receive(
              request,
              response,
              mode,
              maxBytes,
              (body, session) -> {
                reader.read(body, origins, session);
                return session.records().records();
              });
      stored = true;
      return records;
    } catch (RefusedException e) {
      throw PushPorts.error(e);
    } finally {
      metrics.ended(stored);
    }
  }

  private static Mode mode(Request request) {
    String mode = request.param(ApiParams.DURABILITY).orElse("durable");
    return switch (mode) {
      case "fast" -> Mode.FAST;
      case "durable" -> Mode.DURABLE;
      default ->
          throw new HttpError(400, "parameter durability: expected fast or durable, found " + mode);
    };
  }

  private static void addExtra(Request request, Map<String, String> labels) {
    String all = request.param(EXTRA).or(() -> request.header(EXTRA_HEADER)).orElse("");
    for (String pair : all.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        Labels.add(labels, pair.substring(0, equals), pair.substring(equals + 1));
      } else if (!pair.isEmpty()) {
        throw new IllegalArgumentException(EXTRA + ": expected NAME=VALUE, found \"" + pair + "\"");
      }
    }
  }

  private EventOrigins origins(Request request) {
    Intake intake = ports.intake();
    try {
      var given = RequestOrigin.of(request, intake.options().topic());
      Optional<Topic> topic = request.param(ApiParams.TOPIC).map(_ -> new Topic(given.topic()));
      var labels = new TreeMap<>(given.labels().pairs());
      addExtra(request, labels);
      return new EventOrigins(intake, topic, Map.copyOf(Labels.of(labels).pairs()));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, String.valueOf(e.getMessage()));
    }
  }
}
