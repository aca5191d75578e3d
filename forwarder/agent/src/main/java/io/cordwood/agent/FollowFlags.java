package io.cordwood.agent;

import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.LineFormat;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.agent.pods.NodePods;
import io.cordwood.cli.kubernetes.ApiServer;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.wire.Labels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The flags of {@code cordwood forward --file}. */
final class FollowFlags implements Flags {
  private static final String NODE_NAME = "NODE_NAME";

  List<String> files = new ArrayList<>();
  @Nullable Where from;
  @Nullable Path checkpoint;
  @Nullable String topicPattern;
  @Nullable String labelPattern;
  @Nullable String multiline;
  @Nullable Duration joinWithin;
  @Nullable LineFormat format;
  boolean kubernetes;
  boolean onlyIncluded;
  boolean once;

  @Override
  public void list(FlagList list) {
    list.flag("--file")
        .label("PATH")
        .help(
            "Follow a file, or all that match a quoted pattern such as '/var/log/*.log', over "
                + "renames and truncations, instead of reading standard input. Can be repeated.")
        .list(String.class, files, value -> files = value);
    list.flag("--from")
        .label("WHERE")
        .help(
            "Where to begin in files that are there at the first start, without a checkpoint: "
                + "beginning or end. Files that come later are read from their beginning. "
                + "Default: beginning.")
        .value(Where.class, from, value -> from = value);
    list.flag("--checkpoint")
        .label("FILE")
        .help(
            "Keeps what has arrived, so that after a restart or crash each line is there once. "
                + "Default: cordwood/forward.checkpoint in $$XDG_STATE_HOME, or in ~/.local/state.")
        .value(Path.class, checkpoint, value -> checkpoint = value);
    list.flag("--topic-pattern")
        .label("REGEX")
        .help(
            "The topic is what a group of this pattern finds in a file's path, the group 'topic' or"
                + " else the first: '/srv/([^/]+)/'.")
        .value(String.class, topicPattern, value -> topicPattern = value);
    list.flag("--label-pattern")
        .label("REGEX")
        .help(
            "Labels are what the named groups of this pattern find in a file's path:"
                + " '/pods/(?<namespace>[^_]+)_(?<pod>[^_]+)_'.")
        .value(String.class, labelPattern, value -> labelPattern = value);
    list.flag("--multiline")
        .label("HOW")
        .help(
            "Join lines to records: dotnet, go, java, node, php, python, ruby and rust know what"
                + " belongs to a stack trace; any other text is a pattern that a record's first"
                + " line has: '^[0-9]{4}-'.")
        .value(String.class, multiline, value -> multiline = value);
    list.flag("--multiline-timeout")
        .label("DURATION")
        .help("How long a record waits for lines that go on with it. Default: 1s.")
        .duration(joinWithin, value -> joinWithin = value);
    listOfContainers(list);
    list.flag("--once")
        .help("End when all files are read and acknowledged, instead of waiting for more.")
        .on(value -> once = value);
  }

  private void listOfContainers(FlagList list) {
    list.flag("--format")
        .label("FORMAT")
        .help(
            "What stands around the text in each line: cri or docker, as container runtimes write,"
                + " or plain. The text is sent, with the runtime's time and the stream as a label."
                + " Default: auto, by the first line of each file.")
        .value(LineFormat.class, format, value -> format = value);
    list.flag("--kubernetes")
        .help(
            "Ask the API server of the cluster, as the pod that this runs in may, for the labels,"
                + " the owners and the settings (cordwood.io/...) of the pods of the node"
                + " NODE_NAME, which the environment names.")
        .on(value -> kubernetes = value);
    list.flag("--only-included")
        .help(
            "Of the files of containers, read those alone whose pods or containers say"
                + " cordwood.io/include, in a label or an annotation.")
        .on(value -> onlyIncluded = value);
  }

  boolean areFromEnd() {
    return from == Where.end;
  }

  /** The place to begin. */
  enum Where {
    /** With the first line. */
    beginning,
    /** With what comes. */
    end
  }

  boolean areGiven() {
    return !files.isEmpty();
  }

  /** Refuses what makes sense with {@code --file} alone. */
  void checkAbsent() {
    checkNoneOfFiles();
    refuse("--from", from != null);
    refuse("--checkpoint", checkpoint != null);
    refuse("--once", once);
  }

  /** Refuses what makes no sense with {@code --journal} alone. */
  void checkNoneOfFiles() {
    refuse("--topic-pattern", topicPattern != null);
    refuse("--label-pattern", labelPattern != null);
    refuse("--multiline", multiline != null);
    refuse("--multiline-timeout", joinWithin != null);
    refuse("--format", format != null);
    refuse("--kubernetes", kubernetes);
    refuse("--only-included", onlyIncluded);
  }

  private static void refuse(String flag, boolean given) {
    if (given) {
      throw new CommandException(flag + ": expected with --file, found without");
    }
  }

  /**
   * Begins to ask for the pods of the node, if that is wanted; null if not.
   *
   * @throws CommandException when it is not known which node this is
   */
  @Nullable NodePods pods(Map<String, String> environment, Consumer<String> says) {
    if (!kubernetes) {
      return null;
    }
    if (format == LineFormat.plain) {
      throw new CommandException("--kubernetes: expected without --format plain, found with it");
    }
    String node = environment.getOrDefault(NODE_NAME, "");
    if (node.isEmpty()) {
      throw new CommandException("--kubernetes: expected NODE_NAME in the environment, found none");
    }
    Optional<ApiServer> server = ApiServer.inCluster(environment);
    if (server.isEmpty()) {
      says.accept("--kubernetes: no API server is known, as there is no KUBERNETES_SERVICE_HOST");
      return null;
    }
    return NodePods.start(server.get(), node, says);
  }

  /**
   * @param topic a topic's name, perhaps with placeholders
   * @param labels of all files
   * @param pods what is known of pods; null if that is not asked for
   * @throws IllegalArgumentException when one of them cannot be; the message says why
   */
  FollowOptions options(
      String topic, boolean topicGiven, Labels labels, @Nullable NodePods pods, int mostHeldBytes) {
    if (topicPattern != null && topicGiven) {
      throw new CommandException("expected --topic or --topic-pattern, found both");
    }
    if (joinWithin != null && multiline == null) {
      throw new CommandException("--multiline-timeout: expected with --multiline, found without");
    }
    return new FollowOptions(
        files,
        checkpoint == null ? defaultCheckpoint(System.getenv()) : checkpoint,
        topicPattern == null ? TopicRule.template(topic) : TopicRule.pattern(topicPattern),
        pods == null ? labels(labels) : labels(labels).withPods(pods),
        new FollowOptions.Reading(
            multiline == null ? Multiline.NONE : Multiline.parse(multiline),
            format == null ? LineFormat.auto : format,
            areFromEnd(),
            joinWithin == null ? FollowOptions.Reading.JOIN_WITHIN : joinWithin),
        once,
        mostHeldBytes);
  }

  private LabelRule labels(Labels ofAll) {
    try {
      LabelRule rule =
          labelPattern == null ? LabelRule.all(ofAll) : LabelRule.pattern(ofAll, labelPattern);
      if (format == LineFormat.plain) {
        if (onlyIncluded) {
          throw new CommandException(
              "--only-included: expected without --format plain, found with it");
        }
        return rule;
      }
      LabelRule known = rule.withContainers(System.getenv().getOrDefault(NODE_NAME, ""));
      return onlyIncluded ? known.withOnlyIncluded() : known;
    } catch (IllegalArgumentException e) {
      throw new CommandException("--label-pattern: " + e.getMessage(), e);
    }
  }

  private static Path defaultCheckpoint(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    String home = environment.getOrDefault("HOME", "");
    if (state.isEmpty() && home.isEmpty()) {
      throw new CommandException("--checkpoint: expected, since there is no home folder");
    }
    Path folder = state.isEmpty() ? Path.of(home, ".local", "state") : Path.of(state);
    return folder.resolve("cordwood").resolve("forward.checkpoint");
  }
}
