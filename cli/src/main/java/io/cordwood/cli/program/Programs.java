package io.cordwood.cli.program;

import io.cordwood.common.file.FileTrouble;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Common to all commands: {@code --help}, {@code --version}, one clear line for each error, exit
 * code 2 with it.
 */
public final class Programs {
  /** Something was found, or done. */
  public static final int SUCCESS = 0;

  /** Nothing was found. */
  public static final int NONE = 1;

  /** The command could not do its work. */
  public static final int ERROR = 2;

  private static final int HELP_COLUMNS = 100;

  private Programs() {}

  /** The command line of one command, under the name that its messages begin with. */
  public static CommandLine line(String name, Callable<Integer> command) {
    CommandLine line = new CommandLine(command);
    line.setCommandName(name).setUsageHelpWidth(HELP_COLUMNS).setAbbreviatedOptionsAllowed(false);
    line.setOverwrittenOptionsAllowed(true).setExpandAtFiles(false);
    line.setAllowOptionsAsOptionParameters(true); // -e -x looks for "-x", as with every other grep
    CommandSpec spec = line.getCommandSpec().versionProvider(new Version());
    if (spec.findOption("-h") == null) {
      spec.mixinStandardHelpOptions(true);
    } else {
      addLongHelpOptions(spec);
    }
    spec.usageMessage().footer(withEnvironment(spec));
    return line;
  }

  private static String[] withEnvironment(CommandSpec spec) {
    List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
    spec.options().stream()
        .filter(option -> option.longestName().startsWith("--"))
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .min(Comparator.comparing(Programs::isOneWord))
        .ifPresent(option -> {
          String variable = Environment.names(option).getLast();
          footer.add("");
          footer.add(
              "A flag can be set in the environment as well: %s by %s."
                  .formatted(option.longestName(), variable));
          footer.add("The command line counts more.");
        });
    return footer.toArray(String[]::new);
  }

  /** Two words make the better example: they show what becomes of the hyphen. */
  private static boolean isOneWord(OptionSpec option) {
    return option.longestName().indexOf('-', 2) < 0;
  }

  /** For a command to which {@code -h} means something else. */
  private static void addLongHelpOptions(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("--help")
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Print version information and exit.")
            .build());
  }

  /** Runs a role's command as a program of its own, and ends the process. */
  public static void main(String name, Callable<Integer> command, String[] args) {
    System.exit(run(line("cordwood " + name, command), args));
  }

  /** Runs a command line; the answer is the exit code. */
  public static int run(CommandLine line, String... args) {
    return run(line, System.getenv(), args);
  }

  /**
   * Runs it in another environment.
   *
   * @param variables by name
   */
  static int run(CommandLine line, Map<String, String> variables, String... args) {
    String[] usual =
        line.getCommandSpec().userObject() instanceof QuickCommand command
            ? command.rewritten(args)
            : args;
    Environment environment = prepare(line, variables, usual);
    line.setExecutionStrategy(given -> execute(given, environment));
    line.setParameterExceptionHandler((e, _) -> refuse(e, environment));
    line.setExecutionExceptionHandler((e, failed, _) -> fail(e, failed, environment));
    return line.execute(usual);
  }

  private static Environment prepare(
      CommandLine line, Map<String, String> variables, String... args) {
    var environment = new Environment(variables, List.of(args));
    line.setDefaultValueProvider(environment);
    Values.register(line);
    return environment;
  }

  /**
   * Reads a command line as {@link #run} does, and runs nothing; what set the flags.
   *
   * @throws CommandException if it cannot be run; the message is what would be said
   */
  public static Environment parse(CommandLine line, Map<String, String> variables, String... args) {
    Environment environment = prepare(line, variables, args);
    try {
      check(line.parseArgs(args), environment);
      return environment;
    } catch (ParameterException e) {
      String reason = reason(e);
      throw new CommandException(reason + environment.blame(line.getCommandSpec(), reason), e);
    }
  }

  private static int execute(ParseResult given, Environment environment) {
    Integer helped = CommandLine.executeHelpRequest(given);
    if (helped != null) {
      return helped;
    }
    check(given, environment);
    return new CommandLine.RunLast().execute(given);
  }

  private static void check(ParseResult given, Environment environment) {
    for (CommandLine line : given.asCommandLineList()) {
      Arguments.check(line.getParseResult());
      Exclusions.check(line.getParseResult());
      environment.check(line.getCommandSpec());
    }
  }

  private static int refuse(ParameterException e, Environment environment) {
    CommandLine line = e.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    PrintWriter err = line.getErr();
    String reason = reason(e);
    reason += environment.blame(line.getCommandSpec(), reason);
    String end = reason.endsWith("?") ? " See '" : ". See '";
    err.println(name + ": " + reason + end + name + " --help'.");
    return ERROR;
  }

  private static String reason(ParameterException e) {
    return e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()
        ? unknown(unmatched)
        : Values.reason(e, firstLine(e));
  }

  private static String unknown(UnmatchedArgumentException e) {
    String word = e.getUnmatched().getFirst();
    boolean command = !e.getCommandLine().getSubcommands().isEmpty();
    String kind = e.isUnknownOption() ? "option" : command ? "command" : "argument";
    return "unknown " + kind + " '" + word + "'" + Suggestions.of(word, e.getCommandLine());
  }

  private static int fail(Exception e, CommandLine line, Environment environment) {
    CommandSpec command = line.getCommandSpec();
    return fail(command.qualifiedName(), e, environment.blame(command, explain(e)));
  }

  /**
   * Says what failed, and which variable or line of a file may have caused it.
   *
   * @param args the command line
   * @return the exit code
   */
  static int fail(
      String name,
      Callable<Integer> command,
      Exception e,
      Map<String, String> variables,
      String... args) {
    CommandLine line = line(name, command);
    return fail(e, line, prepare(line, variables, args));
  }

  private static int fail(String name, Exception e, String more) {
    System.err.println(name + ": " + explain(e) + more);
    if (!isExpected(e)) {
      e.printStackTrace(System.err);
    }
    return ERROR;
  }

  private static boolean isExpected(Exception e) {
    return e instanceof IOException
        || e instanceof UncheckedIOException
        || e instanceof CommandException;
  }

  /** One line that says what failed, for people. */
  public static String explain(Exception e) {
    return switch (e) {
      case FileSystemException file -> FileTrouble.explain(file);
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          explain(unchecked.getCause());
      case CommandException _, IOException _ -> firstLine(e);
      default -> "a defect: " + e;
    };
  }

  private static String firstLine(Exception e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElseThrow().replaceFirst("^Error: ", "");
  }
}
