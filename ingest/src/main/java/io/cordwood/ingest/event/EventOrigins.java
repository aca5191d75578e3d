package io.cordwood.ingest.event;

import io.cordwood.common.run.LastUsed;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.common.wire.TopicName;
import io.cordwood.ingest.IngestOptions.Naming;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes topics and labels of what describes the sender of foreign events: all of it becomes labels,
 * and the first that {@link Naming#labels} names is the topic as well. What a topic's name cannot
 * have becomes a hyphen. A topic more than the node takes is the usual one. For one request or
 * connection, and one thread.
 */
public final class EventOrigins {
  /**
   * The most bytes that stand beside each event of a sender, since they cannot be labels: short
   * events would take up far more than they are. What is beyond is left out, and counted.
   */
  public static final int MAX_BESIDE_BYTES = Labels.MAX_BYTES;

  /** As many are kept; what is beyond is made anew. */
  private static final int MAX_KEPT = 1000;

  /** As Logstash, Beats and others have it: 2026.11.27, 2026-11, 2026.w48, 2026.11.27-000001. */
  private static final Pattern DATE =
      Pattern.compile("(?<=.)[-_.]\\d{4}[-.](\\d\\d|w\\d\\d)([-.]\\d\\d){0,2}(-\\d{6})?$");

  private final Naming naming;
  private final Intake intake;
  private final @Nullable Topic given;
  private final Map<String, String> always;
  private final Map<Map<String, String>, EventOrigin> known = new LastUsed<>(MAX_KEPT);

  /**
   * @param given the topic of all events, whatever they say
   */
  public EventOrigins(Intake intake, Optional<Topic> given) {
    this(intake, given, Map.of());
  }

  /**
   * @param given the topic of all events, whatever they say
   * @param always labels of all events, instead of what they say
   */
  EventOrigins(Intake intake, Optional<Topic> given, Map<String, String> always) {
    this.intake = intake;
    this.always = always;
    this.naming = intake.options().naming();
    this.given = given.orElse(null);
  }

  /**
   * Makes one.
   *
   * @param pairs what describes the sender, in the order in which it came; copied
   */
  public EventOrigin of(Map<String, String> pairs) {
    EventOrigin found = known.get(pairs);
    if (found == null) {
      var copy = new LinkedHashMap<>(pairs);
      var all = new LinkedHashMap<>(always);
      pairs.forEach(all::putIfAbsent);
      found = made(all);
      known.put(copy, found);
    }
    return found;
  }

  private EventOrigin made(Map<String, String> pairs) {
    var labels = new LinkedHashMap<String, String>();
    var rest = new LinkedHashMap<String, String>();
    int bytes = 0;
    int restBytes = 0;
    for (Map.Entry<String, String> pair : pairs.entrySet()) {
      int more =
          2
              + pair.getKey().getBytes(StandardCharsets.UTF_8).length
              + pair.getValue().getBytes(StandardCharsets.UTF_8).length;
      boolean fits =
          labels.size() < Labels.MAX_PAIRS && bytes + more <= Labels.MAX_BYTES && canBe(pair);
      if (fits) {
        labels.put(pair.getKey(), pair.getValue());
        bytes += more;
      } else if (restBytes + more <= MAX_BESIDE_BYTES) {
        rest.put(pair.getKey(), pair.getValue());
        restBytes += more;
      } else {
        leftOut();
      }
    }
    return new EventOrigin(new Origin(topic(pairs).name(), Labels.of(labels)), rest);
  }

  /** Counts something that describes a sender, and stands nowhere. */
  public void leftOut() {
    intake.metrics().leftOut.increment();
  }

  private static boolean canBe(Map.Entry<String, String> pair) {
    try {
      Labels.of(Map.of(pair.getKey(), pair.getValue()));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Topic topic(Map<String, String> pairs) {
    if (given != null) {
      return given;
    }
    for (String label : naming.labels()) {
      String value = pairs.getOrDefault(label, "");
      if (!value.isBlank()) {
        return counted(new Topic(name(label.equals("index") ? undated(value) : value)));
      }
    }
    return naming.topic();
  }

  /** The topic, if the node takes it; else the usual one. */
  private Topic counted(Topic topic) {
    try {
      var _ = intake.metrics().ledger.open(topic);
      return topic;
    } catch (RefusedException e) {
      if (e.reason() != RejectReason.TOPICS) {
        throw new AssertionError("expected no other refusal than for topics", e);
      }
      intake.metrics().overflowedTopics.increment();
      return naming.topic();
    }
  }

  /** An index without the date and the number at its end, with which another begins each day. */
  static String undated(String index) {
    return DATE.matcher(index).replaceFirst("");
  }

  /** The name of a topic that is most like a text. */
  static String name(String text) {
    String like = text.strip().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+", "");
    String cut = like.substring(0, Math.min(like.length(), TopicName.MAX_BYTES));
    return cut.isEmpty() ? "other" : cut;
  }
}
