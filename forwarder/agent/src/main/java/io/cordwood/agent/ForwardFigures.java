package io.cordwood.agent;

import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.RefusalReason;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of a run, for people and for machines; read by any thread. */
interface ForwardFigures {
  /** Records taken so far. */
  long records();

  /**
   * Some of them, for a line on a terminal.
   *
   * @param recordsPerSecond since the line before
   */
  String line(double recordsPerSecond);

  /** All of them by their names, as a JSON object in one line. */
  String json();

  /**
   * Refusals by nodes, by reason, and records without their labels, as further members of that
   * object.
   */
  static String refusals(ForwarderCounters counters) {
    return ",\"records_unlabelled\":%d".formatted(counters.handling().unlabelled())
        + Stream.of(RefusalReason.values())
            .map(reason ->
                ",\"refused_%s\":%d"
                    .formatted(reason.name().toLowerCase(Locale.ROOT), counters.refusals(reason)))
            .collect(Collectors.joining());
  }
}
