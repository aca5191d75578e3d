package io.cordwood.ingest.fluent;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.push.PushedRecords;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of the records of Fluent Forward.
 *
 * <pre>
 *   a text                                      the same text
 *   {container_id, container_name, source, log} the text of log, the three as labels:
 *   another map                                 an object of JSON; of its kubernetes map there are labels, too
 * </pre>
 */
final class ForwardEvents {
  private static final int EXTENSION_BYTES = 8;
  private static final int EXTENSION_TIME = 0;
  private static final long NANOS = 1_000_000_000;

  /** Labels by the names that they have within {@code kubernetes}. */
  private static final Map<String, String> KUBERNETES =
      Map.of(
          "namespace_name", "namespace",
          "pod_name", "pod",
          "container_name", "container",
          "host", "node");

  /** Labels of a pod, of which the first is the label {@code app}. */
  private static final String[] APP = {"app.kubernetes.io/name", "app", "k8s-app"};

  /** Names that mean something beside a text. */
  private static final Set<String> OWN = Set.of("time", "escapes", "metadata");

  private final EventOrigins origins;
  private final Events events;
  private final Beside object = new Beside();
  private final Beside beside = new Beside();
  private String knownTag = "";
  private @Nullable EventOrigin knownOrigin;

  ForwardEvents(Intake intake, PushedRecords records) {
    this.origins = new EventOrigins(intake, Optional.empty());
    this.events = new Events(intake, records);
  }

  /** Adds an event whose record, which is passed, is a value of MessagePack. */
  void add(String tag, ForwardStamp stamp, Packed record) throws RefusedException {
    int start = record.at();
    Packed.Kind kind = record.next();
    beside.clear();
    metadata(stamp);
    if (kind.isText()) {
      events.add(origin(tag), stamp.time(), record.array(), record.from(), record.to(), beside);
      return;
    }
    Packed value = record.copy(start);
    object.clear();
    PackedJson.write(value, object);
    record.skipTo(value.at());
    events.add(origin(tag, record.copy(start)), stamp.time(), object, beside);
  }

  /**
   * Adds a record of Docker's driver.
   *
   * @param joined the text of all its parts, instead of its own; null if it has its own
   */
  void add(DockerRecord record, byte @Nullable [] joined) throws RefusedException {
    beside.clear();
    metadata(record.stamp());
    record.forEachOther(
        joined == null,
        (name, value) -> {
          beside.name(OWN.contains(name) || name.startsWith("attr.") ? "attr." + name : name);
          PackedJson.write(value, beside);
        });
    byte[] text = joined == null ? record.log() : joined;
    events.add(origins.of(record.labels()), record.stamp().time(), text, beside);
  }

  private void metadata(ForwardStamp stamp) throws RefusedException {
    Packed metadata = stamp.metadata();
    if (metadata != null) {
      beside.name("metadata");
      PackedJson.write(metadata.copy(), beside);
    }
  }

  private EventOrigin origin(String tag) {
    EventOrigin known = knownOrigin;
    if (known == null || !knownTag.equals(tag)) {
      known = origins.of(Map.of("tag", tag));
      knownOrigin = known;
      knownTag = tag;
    }
    return known;
  }

  private EventOrigin origin(String tag, Packed record) throws RefusedException {
    Packed kubernetes = record.find("kubernetes");
    if (kubernetes == null) {
      return origin(tag);
    }
    var labels = new LinkedHashMap<String, String>();
    for (var name : KUBERNETES.entrySet()) {
      put(labels, name.getValue(), kubernetes.find(name.getKey()));
    }
    Packed ofPod = kubernetes.find("labels");
    for (int i = 0; ofPod != null && i < APP.length && !labels.containsKey("app"); i++) {
      put(labels, "app", ofPod.find(APP[i]));
    }
    labels.put("tag", tag);
    return origins.of(labels);
  }

  private static void put(Map<String, String> labels, String name, @Nullable Packed value)
      throws RefusedException {
    if (value != null && value.next().isText()) {
      labels.put(name, value.text());
    }
  }

  /**
   * Reads the time of an event: seconds, seconds with a fraction, an EventTime, or one of these
   * with metadata, as Fluent Bit can send it.
   */
  static ForwardStamp stamp(Packed in) throws RefusedException {
    Packed.Kind kind = in.next();
    if (kind != Packed.Kind.ARRAY || in.length() != 2) {
      return new ForwardStamp(time(kind, in), null);
    }
    EventTime time = time(in.next(), in);
    Packed metadata = in.copy();
    Packed head = in.copy();
    boolean isEmpty = head.next() == Packed.Kind.MAP && head.length() == 0;
    in.skip();
    return new ForwardStamp(time, isEmpty ? null : metadata);
  }

  private static EventTime time(Packed.Kind kind, Packed in) throws RefusedException {
    return switch (kind) {
      case NIL -> EventTime.NONE;
      case SIGNED, UNSIGNED -> seconds(in.number());
      case FLOAT, DOUBLE -> fraction(in.real());
      case EXTENSION -> extension(in);
      default ->
          throw new RefusedException(
              RejectReason.CORRUPT, "time: expected a number or an EventTime, found " + kind);
    };
  }

  private static EventTime seconds(long seconds) {
    return seconds == 0 ? EventTime.NONE : new EventTime(seconds, 0);
  }

  private static EventTime fraction(double seconds) {
    if (!Double.isFinite(seconds) || seconds == 0) {
      return EventTime.NONE;
    }
    double whole = Math.floor(seconds);
    return new EventTime((long) whole, (int) Math.min((seconds - whole) * NANOS, NANOS - 1));
  }

  private static EventTime extension(Packed in) throws RefusedException {
    if (in.extension() != EXTENSION_TIME || in.length() != EXTENSION_BYTES) {
      throw new RefusedException(
          RejectReason.CORRUPT,
          "time: expected the extension 0 of 8 bytes, found %d of %d"
              .formatted(in.extension(), in.length()));
    }
    long both = in.longOf();
    long nanos = both & 0xffffffffL;
    long seconds = both >>> Integer.SIZE;
    return both == 0
        ? EventTime.NONE
        : new EventTime(seconds + nanos / NANOS, (int) (nanos % NANOS));
  }
}
