package io.cordwood.query.logql;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereException;
import io.cordwood.query.match.PatternSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which records a query selects, as far as the engine finds them. Topics are chosen by their names
 * first; those of one part may need other conditions on labels than those of another, since the
 * label {@value Streams#SERVICE} is the topic where there is none.
 */
public final class Selected {
  /** So few conditions are far from what a question takes, with one more. */
  private static final int FEW_CONDITIONS = 10;

  private final List<LabelMatcher> ofTopic;
  private final List<LabelMatcher> ofService;
  private final List<LabelMatcher> all;
  private final LineFilters lines;
  private final List<List<String>> conditions;
  private final Changes changes;

  private Selected(Expr.Logs logs) {
    this.changes = Changes.of(logs.stages());
    List<LabelMatcher> matchers = new ArrayList<>(logs.selector());
    this.conditions = conditions(logs, matchers);
    this.all = List.copyOf(matchers);
    this.ofTopic = all.stream().filter(m -> m.name().equals(Streams.TOPIC)).toList();
    this.ofService = all.stream().filter(m -> m.name().equals(Streams.SERVICE)).toList();
    this.lines =
        LineFilters.of(
            logs.stages().stream()
                .filter(Stage.Line.class::isInstance)
                .map(Stage.Line.class::cast)
                .toList());
  }

  private Selected(Selected of, List<List<String>> conditions) {
    this.ofTopic = of.ofTopic;
    this.ofService = of.ofService;
    this.all = of.all;
    this.lines = of.lines;
    this.changes = of.changes;
    this.conditions = conditions;
  }

  /**
   * Translates a query.
   *
   * @throws LogqlException if the engine cannot find such records
   */
  public static Selected of(Expr.Logs logs) {
    return new Selected(logs);
  }

  /**
   * Those of them that have one of some fields: few records may, and they are found by its name.
   * All of them, if that cannot be told beside the other conditions.
   */
  public Selected having(List<GroupField> fields) {
    int others = lines.conditions().size() + ofService.size();
    boolean isAlone = conditions.equals(Conditions.ALWAYS) && others == 0;
    boolean isOneOfFew =
        fields.size() == 1
            && conditions.size() == 1
            && conditions.getFirst().size() + others < FEW_CONDITIONS;
    if (!(isAlone || isOneOfFew) || !fields.stream().allMatch(Selected::isOfRecord)) {
      return this;
    }
    List<List<String>> one =
        fields.stream().map(field -> List.of(Texts.quoted(field.text()) + " != \"\"")).toList();
    return new Selected(this, Conditions.both(conditions, one, 0));
  }

  private static boolean isOfRecord(GroupField field) {
    return field.path() != null && field.width() == 0 && !field.text().startsWith("@");
  }

  /** Changes of the records that are found. */
  public Changes changes() {
    return changes;
  }

  /**
   * Conditions on records.
   *
   * @param matchers of the stream; gets those of filters that are of it alone
   */
  private static List<List<String>> conditions(Expr.Logs logs, List<LabelMatcher> matchers) {
    List<String> onLabels =
        logs.selector().stream()
            .filter(m -> !isOfTopic(m))
            .map(m -> m.condition("@" + m.name(), m.passes("")))
            .toList();
    List<List<String>> all = List.of(onLabels);
    boolean parsed = false;
    for (int i = 0; i < logs.stages().size(); i++) {
      Stage stage = logs.stages().get(i);
      parsed |= stage instanceof Stage.Parser;
      if (stage instanceof Stage.Filter(LabelTest after, int at)) {
        List<Stage> stages = logs.stages().subList(0, i);
        LineParts parts = LineParts.of(stages);
        var conditions = new Conditions(parsed, parts);
        for (LabelTest test : new Relabelling(stages).before(after, at).all().toList()) {
          if (test instanceof LabelTest.OfText(LabelMatcher matcher)
              && isOfTopic(matcher)
              && parts.field(matcher.name()).isEmpty()) {
            matchers.add(matcher);
          } else {
            all = Conditions.both(all, conditions.of(test), at);
          }
        }
      }
    }
    return all;
  }

  private static boolean isOfTopic(LabelMatcher matcher) {
    return matcher.name().equals(Streams.TOPIC) || matcher.name().equals(Streams.SERVICE);
  }

  /** The only topic, if the query names it. */
  public Optional<String> topic() {
    return ofService.isEmpty()
            && ofTopic.size() == 1
            && ofTopic.getFirst().operator() == LabelMatcher.Operator.EQUAL
        ? Optional.of(ofTopic.getFirst().value())
        : Optional.empty();
  }

  /** Whether all topics are meant. */
  public boolean areAllTopics() {
    return ofTopic.isEmpty() && ofService.isEmpty();
  }

  /** Whether the labels of a stream are selected. */
  public boolean selects(Map<String, String> stream) {
    return all.stream().allMatch(m -> m.passes(stream.getOrDefault(m.name(), "")));
  }

  /**
   * Topics, and what the records of them have to meet.
   *
   * @param where all conditions; absent if none is
   */
  public record Part(List<String> topics, Where where) {}

  /** The parts of which the answer is made, of all topics that there are. */
  public List<Part> parts(List<String> topics) {
    Predicate<String> asTopic = name -> ofTopic.stream().allMatch(m -> m.passes(name));
    Predicate<String> asService = name -> ofService.stream().allMatch(m -> m.passes(name));
    List<String> found = topics.stream().filter(asTopic).toList();
    List<String> own = found.stream().filter(asService).toList();
    List<Part> parts = new ArrayList<>();
    part(own, true).ifPresent(parts::add);
    if (!ofService.isEmpty()) {
      part(found.stream().filter(asService.negate()).toList(), false).ifPresent(parts::add);
    }
    return parts;
  }

  /** The conditions if no topic's name matters; empty if no record meets them. */
  public Optional<Where> where() {
    return where(true);
  }

  private Optional<Part> part(List<String> topics, boolean orAbsent) {
    return topics.isEmpty()
        ? Optional.empty()
        : where(orAbsent).map(where -> new Part(topics, where));
  }

  /** Empty if no record meets them. */
  private Optional<Where> where(boolean serviceOrAbsent) {
    if (conditions.isEmpty()) {
      return Optional.empty();
    }
    List<String> also = new ArrayList<>(lines.conditions());
    ofService.forEach(m -> also.add(m.condition("@" + Streams.SERVICE, serviceOrAbsent)));
    List<String> texts =
        Conditions.both(conditions, List.of(also), 0).stream()
            .map(each -> String.join(" and ", each))
            .toList();
    try {
      List<String> regexes = new ArrayList<>(changes.parts().extract().texts());
      lines.extract().filter(_ -> !texts.contains("")).ifPresent(regexes::add);
      Extract extract = Extract.parse(regexes);
      return Optional.of(Where.parse(texts.contains("") ? List.of() : texts, extract));
    } catch (WhereException e) {
      throw new LogqlException(0, "as conditions on fields, ", e);
    }
  }

  /** The pattern that has to be in records, or must not be. */
  public PatternSpec pattern() {
    return lines.pattern();
  }

  /** Whether it must not be in them. */
  public boolean invert() {
    return lines.invert();
  }
}
