package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides as what the lines of a file are sent: their topic and labels, how they are joined, and
 * whether they are sent at all. What a container's settings say goes before what is for all files.
 * Owned by the follower's thread.
 */
final class FileOrigins {
  private static final String EXCLUDE = "cordwood.io/exclude";
  private static final String INCLUDE = "cordwood.io/include";
  private static final String TOPIC = "cordwood.io/topic";
  private static final String MULTILINE = "cordwood.io/multiline";

  private final FollowOptions options;
  private final FollowLog log;
  private final FollowCounters counters;
  private long changes;

  FileOrigins(FollowOptions options, FollowLog log, FollowCounters counters) {
    this.options = options;
    this.log = log;
    this.counters = counters;
    this.changes = options.labels().changes();
  }

  /** Whether more is known of pods than when it was asked last. */
  boolean haveChanged() {
    long now = options.labels().changes();
    boolean isNew = now != changes;
    changes = now;
    return isNew;
  }

  /** The labels of a file's lines; those of all files if what is found cannot be labels. */
  Labels labels(Path name, Path home) {
    try {
      if (!options.labels().matches(name)) {
        counters.labelPatternMisses.increment();
      }
      return options.labels().of(name, home);
    } catch (IllegalArgumentException e) {
      failed(name + ": " + e.getMessage() + "; it has only the labels of all files");
      return options.labels().ofAll();
    }
  }

  /** How the records of a new file are made; null if it has no topic, which is said. */
  FileState.@Nullable Cut cut(Path name, Path home) {
    Map<String, String> settings = options.labels().settings(name, home);
    String wanted = settings.get(TOPIC);
    try {
      String topic = wanted == null ? null : topic(name, wanted);
      return new FileState.Cut(
          topic == null ? options.topics().of(name, home) : topic,
          multiline(name, settings.get(MULTILINE)),
          options.reading().format());
    } catch (IllegalArgumentException e) {
      failed(e.getMessage() + "; the file is not read");
      return null;
    }
  }

  private @Nullable String topic(Path name, String wanted) {
    try {
      return TopicRule.checked(wanted, name + ": " + TOPIC);
    } catch (IllegalArgumentException e) {
      failed(e.getMessage() + "; it has the topic that others have");
      return null;
    }
  }

  /** Only presets: a pattern of somebody who runs a container could take any time. */
  private Multiline multiline(Path name, @Nullable String wanted) {
    if (wanted == null) {
      return options.reading().multiline();
    }
    if (wanted.isEmpty() || wanted.equals("none")) {
      return Multiline.NONE;
    }
    try {
      if (wanted.chars().allMatch(Character::isLetter)) {
        return Multiline.parse(wanted);
      }
    } catch (IllegalArgumentException e) {
      // It is no preset's name.
    }
    failed(
        name
            + ": "
            + MULTILINE
            + ": expected none, dotnet, go, java, node, php, python, ruby or rust, found "
            + wanted
            + "; its lines are joined as those of others");
    return options.reading().multiline();
  }

  /** Whether a file is not to be read, by what its container's settings say or do not say. */
  boolean isExcluded(FileState state) {
    Path home = state.home.path();
    Map<String, String> settings = options.labels().settings(state.path, home);
    String container = state.labels.value("container");
    return isNamed(settings.getOrDefault(EXCLUDE, ""), container)
        || (options.labels().needsInclusion(state.path, home)
            && !isNamed(settings.getOrDefault(INCLUDE, ""), container));
  }

  /** Whether a value is for all containers of a pod, or names this one. */
  private static boolean isNamed(String value, @Nullable String container) {
    if (value.isEmpty() || value.equals("false")) {
      return false;
    }
    for (String each : value.split(",", -1)) {
      if (each.strip().equals("true") || each.strip().equals(container)) {
        return true;
      }
    }
    return false;
  }

  private void failed(String line) {
    if (log.sayOnce(line)) {
      counters.errors.increment();
    }
  }
}
