package io.cordwood.cli.alert;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Figures of a watch, from its start on. For all threads. */
public final class WatchCounters {
  private final Map<String, LongAdder> all = new LinkedHashMap<>();

  final LongAdder windows = add("windows");
  final LongAdder skipped = add("windows_skipped");
  final LongAdder undecided = add("windows_undecided");
  final LongAdder fired = add("fired");
  final LongAdder resolved = add("resolved");
  final LongAdder sent = add("notifications_sent");
  final LongAdder sendFailures = add("notification_failures");
  final LongAdder groupsLeftOut = add("groups_left_out");
  final LongAdder stateFailures = add("state_failures");

  private LongAdder add(String name) {
    var counter = new LongAdder();
    all.put(name, counter);
    return counter;
  }

  /** All of them by name. */
  public Map<String, LongAdder> all() {
    return Map.copyOf(all);
  }

  /** As an object in JSON, with a line feed. */
  public String json() {
    return all.entrySet().stream()
        .map(each -> "\"%s\":%d".formatted(each.getKey(), each.getValue().sum()))
        .collect(Collectors.joining(",", "{", "}\n"));
  }
}
