package io.cordwood.query.logql;

import io.cordwood.query.logql.Stage.LabelFormat.Assignment;
import io.cordwood.query.template.Template;
import io.cordwood.query.template.TemplateException;
import io.cordwood.query.template.TemplateValues;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Changes of records after they were found: no line may be changed before it is filtered, and no
 * label that is measured.
 */
public final class Changes {
  /** Sequences of terminals that begin with an escape. */
  private static final Pattern COLOURS = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]");

  /** Each may take as long for a record as a search of it. */
  private static final int MAX_REGEXES = 8;

  private final List<Stage> stages;
  private final Relabelling relabelling;

  private Changes(List<Stage> stages) {
    this.stages = stages;
    this.relabelling = new Relabelling(stages);
  }

  /**
   * The stages that change something.
   *
   * @throws LogqlException if one that filters comes after one that changes what it looks at
   */
  static Changes of(List<Stage> stages) {
    checkRegexes(stages);
    Predicate<String> changed = _ -> false;
    boolean lineChanged = false;
    for (Stage stage : stages) {
      switch (stage) {
        case Stage.Line line -> refuse(lineChanged, line, "the line");
        case Stage.Filter _ -> {}
        case Stage.Parser parser -> {
          refuse(lineChanged, parser, "the line");
          lineChanged = parser.unpacks();
        }
        case Stage.Capture _, Stage.Fields _ -> refuse(lineChanged, stage, "the line");
        case Stage.Unwrap unwrap ->
            refuse(changed.test(unwrap.measured().name()), unwrap, "its label");
        case Stage.LineFormat _, Stage.Decolorize _ -> lineChanged = true;
        case Stage.LabelFormat format -> {
          for (Assignment each : format.assignments()) {
            changed =
                changed
                    .or(each.name()::equals)
                    .or(name -> each.renamed().equals(Optional.of(name)));
          }
        }
        case Stage.Pick pick -> changed = changed.or(pick::mayRemove);
      }
    }
    return new Changes(
        stages.stream()
            .filter(s -> !(s instanceof Stage.Line) && !(s instanceof Stage.Filter))
            .toList());
  }

  private static void checkRegexes(List<Stage> stages) {
    int regexes = 0;
    for (Stage stage : stages) {
      regexes += templates(stage).mapToInt(Template::regexes).sum();
      if (regexes > MAX_REGEXES) {
        throw LogqlException.tooMuch(
            stage.at(),
            "expected at most " + MAX_REGEXES + " regular expressions in templates, found more");
      }
    }
  }

  private static Stream<Template> templates(Stage stage) {
    return switch (stage) {
      case Stage.LineFormat(Template template, int _) -> Stream.of(template);
      case Stage.LabelFormat format -> format.assignments().stream().map(Assignment::template);
      default -> Stream.empty();
    };
  }

  private static void refuse(boolean refused, Stage stage, String what) {
    if (refused) {
      throw new LogqlException(
          stage.at(),
          "a filter, parser or unwrap after a stage that changes " + what + " is not supported");
    }
  }

  /** Whether the fields of records become labels. */
  public boolean parses() {
    return stages.stream().anyMatch(Stage.Parser.class::isInstance);
  }

  /**
   * Refuses what changes lines.
   *
   * @throws LogqlException if something does
   */
  public void checkLinesAreKept(Expr.Function function) {
    for (Stage stage : stages) {
      boolean unpacks = stage instanceof Stage.Parser parser && parser.unpacks();
      if (unpacks || stage instanceof Stage.LineFormat || stage instanceof Stage.Decolorize) {
        throw new LogqlException(
            stage.at(),
            "a stage that changes the line in " + function.word() + " is not supported");
      }
    }
  }

  /**
   * The labels that those of series are made of.
   *
   * @param whole whether series have all labels of their streams, and those that get new values
   * @throws LogqlException if one is made of a line or a time, which a series has not
   */
  public Set<String> sources(Set<String> wanted, boolean whole) {
    Set<String> all = new HashSet<>(wanted);
    if (whole) {
      all.addAll(relabelling.targets());
    }
    return relabelling.sources(all);
  }

  Relabelling relabelling() {
    return relabelling;
  }

  /** The parts of lines that become labels. */
  public LineParts parts() {
    return LineParts.of(stages);
  }

  /** Labels of a record: its stream's, what stands beside it, and its parsed fields. */
  public record Labelled(
      SortedMap<String, String> stream,
      SortedMap<String, String> beside,
      SortedMap<String, String> parsed)
      implements Relabelling.Changed {
    private List<SortedMap<String, String>> all() {
      return List.of(parsed, beside, stream);
    }

    @Override
    public Set<String> names() {
      Set<String> names = new HashSet<>();
      all().forEach(labels -> names.addAll(labels.keySet()));
      return names;
    }

    @Override
    public String value(String name) {
      return all().stream()
          .filter(labels -> labels.containsKey(name))
          .findFirst()
          .map(labels -> labels.get(name))
          .orElse("");
    }

    @Override
    public void set(String name, String value) {
      remove(name);
      if (!value.isEmpty()) {
        parsed.put(name, value);
      }
    }

    @Override
    public void remove(String name) {
      all().forEach(labels -> labels.remove(name));
    }
  }

  /**
   * Changes the labels of a record.
   *
   * @return the line that is left of it
   * @throws TemplateException if a format makes a text that is too long
   */
  public String apply(String text, Instant time, Labelled labels) {
    String line = text;
    for (Stage stage : stages) {
      switch (stage) {
        case Stage.LineFormat(Template template, int _) ->
            line = filled(template, line, time, labels);
        case Stage.Decolorize _ -> line = COLOURS.matcher(line).replaceAll("");
        case Stage.LabelFormat _, Stage.Pick _ -> {
          String before = line;
          Relabelling.change(stage, labels, each -> filled(each, before, time, labels));
        }
        case Stage.Parser parser -> {
          String entry = parser.unpacks() ? labels.parsed.remove(Stage.Parser.ENTRY) : null;
          line = entry == null ? line : entry;
        }
        case Stage.Line _, Stage.Filter _, Stage.Capture _, Stage.Fields _, Stage.Unwrap _ -> {}
      }
    }
    return line;
  }

  private static String filled(Template template, String line, Instant time, Labelled labels) {
    return template.with(new TemplateValues(labels::value, line, time));
  }
}
