package io.cordwood.cli.manual;

import io.cordwood.cli.program.Environment;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * A page of the manual, in the macros of man(7).
 *
 * <pre>
 *   .TH  .SH NAME  SYNOPSIS  DESCRIPTION  COMMANDS  OPTIONS  NOTES  SEE ALSO
 * </pre>
 */
final class ManPage {
  private final CommandLine line;
  private final CommandSpec spec;
  private final StringBuilder page = new StringBuilder();

  private ManPage(CommandLine line) {
    this.line = line;
    this.spec = line.getCommandSpec();
  }

  static String of(CommandLine line) {
    return new ManPage(line).write();
  }

  private String write() {
    UsageMessageSpec usage = spec.usageMessage();
    String name = spec.qualifiedName().replace(' ', '-');
    macro("TH", name.toUpperCase(Locale.ROOT) + " 1 \"\" cordwood \"Cordwood\"");
    section("NAME");
    String[] description = usage.description();
    text(name + " \0 " + lowerFirst(description[0].replaceFirst("[.:]$", "")));
    section("SYNOPSIS");
    verbatim(
        new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF))
            .synopsis(0)
            .lines()
            .toList());
    section("DESCRIPTION");
    paragraphs(List.of(description));
    commands();
    options();
    section("NOTES");
    verbatim(Stream.of(usage.footer()).dropWhile(String::isBlank).toList());
    seeAlso(name);
    return page.toString();
  }

  private static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  private void commands() {
    if (!line.getSubcommands().isEmpty()) {
      section("COMMANDS");
      line.getSubcommands()
          .forEach((name, command) ->
              item(bold(name), List.of(command.getCommandSpec().usageMessage().description())));
    }
  }

  private void options() {
    section("OPTIONS");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      item(italic(parameter.paramLabel()), List.of(parameter.description()));
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        item(names(option), description(option));
      }
    }
  }

  private static List<String> description(OptionSpec option) {
    List<String> variables = Environment.names(option);
    boolean set = !option.usageHelp() && !option.versionHelp() && !variables.isEmpty();
    return set
        ? Stream.concat(Stream.of(option.description()), Stream.of("(" + variables.getLast() + ")"))
            .toList()
        : List.of(option.description());
  }

  private static String names(OptionSpec option) {
    return Stream.of(option.names())
        .map(name -> bold(name) + value(option, name))
        .collect(Collectors.joining(", "));
  }

  private static String value(ArgSpec option, String name) {
    if (option.arity().max() == 0) {
      return "";
    }
    return (name.startsWith("--") ? "=" : " ") + italic(option.paramLabel());
  }

  private void seeAlso(String name) {
    section("SEE ALSO");
    boolean whole = spec.parent() == null;
    Stream<String> others =
        whole
            ? line.getSubcommands().keySet().stream().map(other -> name + "-" + other)
            : Stream.of(name.substring(0, name.lastIndexOf('-')));
    page.append(others.map(other -> bold(other) + "(1)").collect(Collectors.joining(",\n")));
    page.append('\n');
  }

  private void section(String title) {
    macro("SH", "\"" + title + "\"");
  }

  private void macro(String name, String arguments) {
    page.append('.').append(name).append(' ').append(arguments).append('\n');
  }

  private void item(String tag, List<String> lines) {
    page.append(".TP\n").append(tag).append('\n');
    paragraphs(lines);
  }

  private void paragraphs(List<String> lines) {
    lines.forEach(this::text);
  }

  private void verbatim(List<String> lines) {
    page.append(".nf\n");
    lines.forEach(this::text);
    page.append(".fi\n");
  }

  private void text(String text) {
    page.append(escaped(text)).append('\n');
  }

  private static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fR";
  }

  private static String italic(String text) {
    return "\\fI" + escaped(text) + "\\fR";
  }

  /** Text that stands for itself; a NUL is the dash of a name. */
  static String escaped(String text) {
    String plain = text.replace("%%", "%").replace("%n", "\n").strip();
    String escaped = plain.replace("\\", "\\e").replace("-", "\\-").replace("\0", "\\-");
    String indented = text.startsWith("  ") ? "  " + escaped : escaped;
    return indented.startsWith(".") || indented.startsWith("'") ? "\\&" + indented : indented;
  }
}
