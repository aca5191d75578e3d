package io.cordwood.cli.program;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
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
  public static CommandLine line(String name, Command command) {
    CommandLine line = new CommandLine(FlagList.withHelp(command));
    line.setCommandName(name).setUsageHelpWidth(HELP_COLUMNS).setAbbreviatedOptionsAllowed(false);
    line.setOverwrittenOptionsAllowed(true).setExpandAtFiles(false);
    line.setAllowOptionsAsOptionParameters(true); // -e -x looks for "-x", as with every other grep
    CommandSpec spec = line.getCommandSpec();
    spec.usageMessage().footer(withEnvironment(spec));
    return line;
  }

  private static String[] withEnvironment(CommandSpec spec) {
    List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
    OptionSpec example = example(spec);
    if (example != null) {
      String variable = Environment.names(example).getLast();
      footer.add("");
      footer.add(
          "A flag can be set in the environment as well: "
              + example.longestName()
              + " by "
              + variable
              + ".");
      footer.add("The command line counts more.");
    }
    return footer.toArray(String[]::new);
  }

  /** The first flag, but two words are better: they show what becomes of the hyphen. */
  private static @Nullable OptionSpec example(CommandSpec spec) {
    OptionSpec first = null;
    for (OptionSpec option : spec.options()) {
      String name = option.longestName();
      if (name.startsWith("--") && !option.usageHelp() && !option.versionHelp()) {
        if (name.indexOf('-', 2) > 0) {
          return option;
        }
        first = first == null ? option : first;
      }
    }
    return first;
  }

  /**
   * Runs a command as a program of its own, and ends the process in order: for one that lives until
   * a signal.
   */
  public static void main(String name, Command command, String[] args) {
    System.exit(run(line("cordwood " + name, command), args));
  }

  /** Runs a command as a program of its own, and ends the process: nothing is left to be done. */
  public static void mainOfShort(String name, Command command, String[] args) {
    int exitCode = run(line("cordwood " + name, command), args);
    System.out.flush();
    Runtime.getRuntime().halt(exitCode); // not exit, which first looks for a log to write that to
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
  public static int run(CommandLine line, Map<String, String> variables, String... args) {
    var settings = new Settings(variables);
    Values.register(line);
    line.setExecutionStrategy(given -> execute(given, settings));
    line.setParameterExceptionHandler((e, _) -> refuse(e, settings));
    line.setExecutionExceptionHandler((e, failed, _) -> fail(e, failed, settings));
    try {
      return line.execute(rewritten(line, args));
    } catch (CommandException e) {
      return refuse(new ParameterException(line, e.getMessage(), e), settings);
    }
  }

  private static String[] rewritten(CommandLine line, String... args) {
    return line.getCommandSpec().userObject() instanceof Command it ? it.rewritten(args) : args;
  }

  /**
   * Reads a command line as {@link #run} does, and runs nothing; what set the flags.
   *
   * @throws CommandException if it cannot be run; the message is what would be said
   */
  public static Settings parse(CommandLine line, Map<String, String> variables, String... args) {
    var settings = new Settings(variables);
    Values.register(line);
    try {
      complete(line.parseArgs(args), settings);
      return settings;
    } catch (ParameterException e) {
      String reason = reason(e);
      throw new CommandException(reason + settings.blame(reason), e);
    }
  }

  private static int execute(ParseResult given, Settings settings) {
    Integer helped = CommandLine.executeHelpRequest(given);
    return helped != null ? helped : new CommandLine.RunLast().execute(complete(given, settings));
  }

  /** Checks what is given, and reads it again with what is set besides, if there is anything. */
  private static ParseResult complete(ParseResult given, Settings settings) {
    for (CommandLine line : given.asCommandLineList()) {
      Arguments.check(line.getParseResult());
      Exclusions.check(line.getParseResult());
    }
    if (!settings.find(given)) {
      return given;
    }
    CommandLine whole = given.commandSpec().commandLine();
    whole.setDefaultValueProvider(settings);
    return whole.parseArgs(given.originalArgs().toArray(String[]::new));
  }

  private static int refuse(ParameterException e, Settings settings) {
    CommandLine line = e.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    PrintWriter err = line.getErr();
    String reason = reason(e);
    reason += settings.blame(reason);
    String end = reason.endsWith("?") ? " See '" : ". See '";
    err.println(name + ": " + reason + end + name + " --help'.");
    return ERROR;
  }

  private static String reason(ParameterException e) {
    return switch (e) {
      case UnmatchedArgumentException unmatched when !unmatched.getUnmatched().isEmpty() ->
          unknown(unmatched);
      case MissingParameterException missing -> missing(missing);
      default -> Values.reason(e, Failures.firstLine(e));
    };
  }

  /** A word that is not known is worth more than an argument that it may have been meant for. */
  private static String missing(MissingParameterException e) {
    CommandLine line = e.getCommandLine();
    List<String> unknown = line.getUnmatchedArguments();
    return unknown.isEmpty()
        ? Values.reason(e, Failures.firstLine(e))
        : unknown(new UnmatchedArgumentException(line, unknown));
  }

  private static String unknown(UnmatchedArgumentException e) {
    String word = e.getUnmatched().getFirst();
    boolean command = !e.getCommandLine().getSubcommands().isEmpty();
    String kind = e.isUnknownOption() ? "option" : command ? "command" : "argument";
    return "unknown " + kind + " '" + word + "'" + Suggestions.of(word, e.getCommandLine());
  }

  private static int fail(Exception e, CommandLine line, Settings settings) {
    String explained = Failures.explain(e);
    System.err.println(
        line.getCommandSpec().qualifiedName() + ": " + explained + settings.blame(explained));
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
}
