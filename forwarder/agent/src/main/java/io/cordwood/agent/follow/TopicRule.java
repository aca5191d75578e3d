package io.cordwood.agent.follow;

import io.cordwood.common.wire.TopicName;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Which topic a file's lines belong to: a name with placeholders, or a part of the path that a
 * regular expression finds.
 */
public final class TopicRule {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w*)\\}");

  private static final String OF_POD = "/var/log/pods/NAMESPACE_POD_UID/CONTAINER/0.log";

  /** The endings that rotation and the kind of file add to a name. */
  private static final Pattern ENDING =
      Pattern.compile("(?<=.)(?:\\.(?:log|txt|out|err|json|jsonl|csv)(?:[.-].*)?|\\.[^.]*)$");

  private final String template;
  private final @Nullable Pattern pattern;

  private TopicRule(String template, @Nullable Pattern pattern) {
    this.template = template;
    this.pattern = pattern;
  }

  /**
   * A name, perhaps with placeholders.
   *
   * @param template a topic, perhaps with {@code {name}}, {@code {file}} or {@code {folder}}, or,
   *     for files of containers, {@code {namespace}}, {@code {pod}} or {@code {container}}
   * @throws IllegalArgumentException when no file could give a topic; the message says why
   */
  public static TopicRule template(String template) {
    Matcher placeholder = PLACEHOLDER.matcher(template);
    while (placeholder.find()) {
      if (!placeholder.group(1).matches("name|file|folder|namespace|pod|container")) {
        throw new IllegalArgumentException(
            "--topic: expected {name}, {file}, {folder}, {namespace}, {pod} or {container}, found "
                + placeholder.group());
      }
    }
    checked(PLACEHOLDER.matcher(template).replaceAll("x"), "--topic");
    return new TopicRule(template, null);
  }

  /**
   * The rule that takes the topic from the path by a pattern.
   *
   * @param regex is looked for in the whole path; its group {@code topic}, or else the first, is
   *     the topic
   * @throws IllegalArgumentException when it is none, or has no group
   */
  public static TopicRule pattern(String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      if (pattern.matcher("").groupCount() == 0) {
        throw new IllegalArgumentException(
            "--topic-pattern: expected a group, as in /srv/([^/]+)/, found " + regex);
      }
      return new TopicRule("", pattern);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "--topic-pattern: expected a regular expression, found "
              + regex
              + ": "
              + e.getDescription(),
          e);
    }
  }

  /**
   * The topic of a file's lines.
   *
   * @param home of its bytes, to which its name leads
   * @throws IllegalArgumentException when what is made of the path is no topic's name
   */
  String of(Path file, Path home) {
    if (pattern != null) {
      return found(pattern, file);
    }
    String topic =
        PLACEHOLDER
            .matcher(template)
            .replaceAll(place -> Matcher.quoteReplacement(value(place.group(1), file, home)));
    return checked(topic, file.toString());
  }

  private static String value(String placeholder, Path file, Path home) {
    String name = file.getFileName().toString();
    return switch (placeholder) {
      case "name" -> ENDING.matcher(name).replaceFirst("");
      case "file" -> name;
      case "folder" -> {
        Path folder = file.getParent() == null ? null : file.getParent().getFileName();
        yield folder == null ? "" : folder.toString();
      }
      default -> ofContainer(placeholder, file, home);
    };
  }

  private static String ofContainer(String label, Path file, Path home) {
    String value = ContainerPlace.labels(file, home).get(label);
    if (value == null) {
      boolean isOfPods = !label.equals("container");
      throw new IllegalArgumentException(
          "%s: --topic: expected a file of a %s for {%s}, such as %s%s, found another"
              .formatted(
                  file,
                  isOfPods ? "pod" : "container",
                  label,
                  OF_POD,
                  isOfPods ? "" : ", or Docker's ID/ID-json.log with config.v2.json beside it"));
    }
    return value;
  }

  private static String found(Pattern pattern, Path file) {
    Matcher matcher = pattern.matcher(file.toString());
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          file + ": expected a path with " + pattern + " for its topic, found none");
    }
    boolean named = pattern.namedGroups().containsKey("topic");
    String topic = named ? matcher.group("topic") : matcher.group(1);
    return checked(topic == null ? "" : topic, file.toString());
  }

  static String checked(String topic, String where) {
    try {
      return TopicName.check(topic);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
    }
  }
}
