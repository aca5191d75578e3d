package io.cordwood.cli.watch;

import io.cordwood.cli.alert.Watch;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ConfigFile;
import io.cordwood.cli.program.ConfigFile.Entry;
import io.cordwood.cli.program.Failures;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.text.Spelling;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * A file of rules: lines {@code flag = value} as in other files of settings, in sections.
 *
 * <pre>
 *   webhook = http://alerts:8080/hook    # before the first section: for all rules
 *
 *   [payment errors]
 *   topic = pay
 *   where = level=error
 *   above = 10
 * </pre>
 *
 * <p>A rule's own lines replace those of all rules for the same flag. {@code pattern} is what the
 * command line has without a flag.
 */
public final class RulesFile {
  private static final Pattern SECTION = Pattern.compile("\\[\\s*(.*?)\\s*\\]");
  private static final String PATTERN = "pattern";

  /** The flags of any rule. */
  private static final CommandLine FLAGS = Programs.line("rule", new RuleCommand());

  private final Path path;
  private final List<Entry> common = new ArrayList<>();
  private final Map<String, Section> sections = new LinkedHashMap<>();

  private record Section(String name, int line, List<Entry> entries) {}

  private RulesFile(Path path) {
    this.path = path;
  }

  /**
   * Reads the rules of a file.
   *
   * @throws CommandException if one is none; the message says in which line
   */
  public static List<Watch.Entry> read(Path path, WatchContext around) {
    var file = new RulesFile(path);
    file.readLines();
    List<Watch.Entry> rules = new ArrayList<>();
    file.sections.values().forEach(section -> rules.add(file.rule(section, around)));
    if (rules.isEmpty()) {
      throw new CommandException(path + ": expected a rule, such as [name], found none");
    }
    return rules;
  }

  private void readLines() {
    List<Entry> into = common;
    int number = 0;
    for (String line : ConfigFile.text(path).split("\n", -1)) {
      number++;
      String content = ConfigFile.content(line);
      if (content.startsWith("[")) {
        into = begin(content, number);
      } else if (!content.isEmpty()) {
        Entry entry = ConfigFile.entry(path, content, number);
        checkName(entry);
        checkOnce(entry, into);
        into.add(entry);
      }
    }
  }

  private List<Entry> begin(String content, int number) {
    Matcher section = SECTION.matcher(content);
    if (!section.matches()) {
      throw error(number, "expected [name], found " + ConfigFile.shown(content));
    }
    List<Entry> entries = new ArrayList<>();
    String name = section.group(1);
    Section earlier = sections.putIfAbsent(name, new Section(name, number, entries));
    if (earlier != null) {
      throw error(
          number,
          "expected a name of its own, found %s, the name of the rule in line %d"
              .formatted(ConfigFile.shown(name), earlier.line));
    }
    if (sections.size() > Watch.MAX_RULES) {
      throw error(number, "expected at most " + Watch.MAX_RULES + " rules, found more");
    }
    return entries;
  }

  private void checkName(Entry entry) {
    if (entry.key().equals(PATTERN)) {
      return;
    }
    OptionSpec option = option(entry);
    if (option == null || option.usageHelp() || option.versionHelp()) {
      throw error(
          entry.line(),
          "expected a flag of 'cordwood watch' for a rule, or pattern, found "
              + ConfigFile.shown(entry.key())
              + Spelling.nearest(entry.key(), names())
                  .map(near -> "; did you mean " + near + "?")
                  .orElse(""));
    }
    if (isSwitch(option) && !entry.value().matches("true|false")) {
      throw error(
          entry.line(),
          "%s: expected true or false, found %s"
              .formatted(entry.key(), ConfigFile.shown(entry.value())));
    }
  }

  private void checkOnce(Entry entry, List<Entry> earlier) {
    OptionSpec option = option(entry);
    boolean isList = option != null && option.type() == List.class;
    earlier.stream()
        .filter(each -> !isList && each.key().equals(entry.key()))
        .findFirst()
        .ifPresent(each -> {
          String name = ConfigFile.shown(entry.key());
          throw error(entry.line(), name + " is set by line " + each.line() + " already");
        });
  }

  private static List<String> names() {
    return FLAGS.getCommandSpec().options().stream()
        .flatMap(option -> Stream.of(option.names()))
        .filter(name -> name.startsWith("--"))
        .map(name -> name.substring(2))
        .toList();
  }

  private static @Nullable OptionSpec option(Entry entry) {
    return FLAGS.getCommandSpec().findOption("--" + entry.key());
  }

  private static boolean isSwitch(@Nullable OptionSpec option) {
    return option != null && option.type() == boolean.class;
  }

  private Watch.Entry rule(Section section, WatchContext around) {
    List<Entry> entries = new ArrayList<>(section.entries);
    common.stream()
        .filter(each -> section.entries.stream().noneMatch(own -> own.key().equals(each.key())))
        .forEach(entries::add);
    var command = new RuleCommand();
    try {
      var _ = Programs.parse(Programs.line("rule", command), Map.of(), words(entries));
      return command.flags.entry(section.name, command.pattern, around);
    } catch (CommandException | IOException e) {
      String message = Failures.explain(e);
      throw error(lineOf(e, message, entries).orElse(section.line), message);
    }
  }

  private static String[] words(List<Entry> entries) {
    List<String> words = new ArrayList<>();
    List<String> patterns = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.key().equals(PATTERN)) {
        patterns.add(entry.value());
      } else if (!isSwitch(option(entry))) {
        words.add("--" + entry.key() + "=" + entry.value());
      } else if (entry.value().equals("true")) {
        words.add("--" + entry.key());
      }
    }
    words.add("--");
    words.addAll(patterns);
    return words.toArray(String[]::new);
  }

  /** The line that an error is about, by the flag that it names. */
  private static Optional<Integer> lineOf(Exception e, String message, List<Entry> entries) {
    List<String> flags =
        e.getCause() instanceof ParameterException wrong
                && wrong.getArgSpec() instanceof OptionSpec option
            ? List.of(option.names())
            : List.of(message.replaceFirst(":.*", ""));
    return entries.stream()
        .filter(entry ->
            flags.contains("--" + entry.key())
                || (entry.key().equals(PATTERN) && message.startsWith(PATTERN)))
        .map(Entry::line)
        .findFirst();
  }

  private CommandException error(int line, String what) {
    return ConfigFile.error(path, line, what);
  }
}
