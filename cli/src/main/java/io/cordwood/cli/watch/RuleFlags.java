package io.cordwood.cli.watch;

import io.cordwood.cli.alert.Condition;
import io.cordwood.cli.alert.Rule;
import io.cordwood.cli.alert.Rule.Timing;
import io.cordwood.cli.alert.Watch;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.query.groups.RecordGroups;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The flags of a rule, on the command line and in a file. */
final class RuleFlags implements Flags {
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} _.:/()-]{0,99}");
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]{0,99})=(.{0,1000})");
  private static final int MAX_LABELS = 30;

  private final PatternFlags patterns = new PatternFlags();
  private final TopicFlag topics = new TopicFlag();
  private final TimingFlags timing = new TimingFlags();
  private final ConditionFlags condition = new ConditionFlags();
  private final TargetFlags targets = new TargetFlags();
  private List<String> by = new ArrayList<>();
  private List<String> labels = new ArrayList<>();
  private List<String> annotations = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.addAll(patterns);
    list.addAll(topics);
    list.addAll(condition);
    list.flag("--by")
        .label("FIELDS")
        .help(
            "Count records by these fields, with commas between: records of the same values are an"
                + " alert of their own, whose labels they are.")
        .list(String.class, by, value -> by = value);
    list.addAll(timing);
    list.addAll(targets);
    list.flag("--label")
        .label("NAME=TEXT")
        .help("A label of the alerts, such as severity=page; may be given several times.")
        .list(String.class, labels, value -> labels = value);
    list.flag("--annotation")
        .label("NAME=TEXT")
        .help("An annotation of the alerts, such as runbook=https://…; likewise.")
        .list(String.class, annotations, value -> annotations = value);
  }

  /**
   * The rule.
   *
   * @param pattern the argument, if there is one
   * @throws CommandException if it is none
   */
  Watch.Entry entry(String name, List<String> pattern, WatchContext around) throws IOException {
    if (!NAME.matcher(name).matches()) {
      throw new CommandException(
          "expected a name of 1 to 100 letters, digits, blanks and _.:/()-, found \""
              + name.replaceAll("\\p{Cntrl}", "?")
              + "\"");
    }
    Condition fires = condition.condition();
    Timing times = timing.timing();
    List<String> fields = fields();
    Map<String, String> all = labels(fields);
    String query = query(pattern);
    var rule =
        new Rule(
            name,
            topics.texts(),
            fields,
            fires,
            times,
            all,
            texts("--annotation", annotations),
            around.page() + "?" + query + "&");
    var counts = new NodeCounts(around.node(), query, fields, times.every());
    return new Watch.Entry(rule, counts, targets.targets(around));
  }

  /** Whether no flag chooses or groups records. */
  boolean countsEverything() {
    return !patterns.areGiven()
        && !patterns.haveConditions()
        && topics.texts().isEmpty()
        && by.isEmpty();
  }

  private String query(List<String> pattern) throws IOException {
    int most = patterns.areGiven() ? 0 : 1;
    if (pattern.size() > most) {
      throw new CommandException(
          "expected %s, found \"%s\""
              .formatted(
                  most == 0 ? "no PATTERN beside -e or -f" : "one PATTERN, more with -e",
                  pattern.getLast()));
    }
    PatternSpec spec = patterns.specOrAll(pattern);
    var _ = patterns.matcher(spec);
    var query = new QueryString();
    patterns.addTo(query, spec);
    checkTopics();
    topics.addTo(query);
    return query.toString();
  }

  private void checkTopics() {
    try {
      var _ = Topics.parse(topics.texts());
    } catch (IllegalArgumentException e) {
      throw new CommandException("--topic: " + e.getMessage(), e);
    }
  }

  private List<String> fields() {
    List<String> fields =
        by.stream().flatMap(all -> Stream.of(all.split(",", -1))).map(String::strip).toList();
    try {
      var _ = new RecordGroups(RecordGroups.Wanted.of(fields, List.of()), patterns.extract());
      return fields;
    } catch (IllegalArgumentException e) {
      throw new CommandException("--by: " + e.getMessage(), e);
    }
  }

  private Map<String, String> labels(List<String> fields) {
    Map<String, String> all = texts("--label", labels);
    List<String> names = new ArrayList<>(all.keySet());
    names.add(Rule.NAME_LABEL);
    for (String field : fields) {
      String label = GroupLines.label(field);
      if (names.contains(label)) {
        throw new CommandException(
            "--by: expected fields that are labels of their own, found %s, which would be the label"
                    .formatted(field)
                + " "
                + label
                + " again");
      }
      names.add(label);
    }
    return all;
  }

  private static Map<String, String> texts(String flag, List<String> given) {
    Map<String, String> texts = new TreeMap<>();
    for (String each : given) {
      var parts = LABEL.matcher(each);
      if (!parts.matches() || parts.group(1).equals(Rule.NAME_LABEL)) {
        throw new CommandException(
            flag
                + ": expected NAME=TEXT, the name of letters, digits and _, and not alertname,"
                + " found \""
                + each
                + '"');
      }
      texts.put(parts.group(1), parts.group(2));
    }
    if (texts.size() > MAX_LABELS) {
      throw new CommandException(
          "%s: expected at most %d, found %d".formatted(flag, MAX_LABELS, texts.size()));
    }
    return texts;
  }
}
