package io.cordwood.dist;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usual command lines without picocli, which takes longer to build its model of a command
 * than a node takes to answer. Whatever is not usual is left to picocli: help, errors, rare flags
 * and most variables of the environment. Nothing is ever refused here.
 */
final class QuickStart {
  /** Variables of the launcher, that are no flags. */
  private static final Set<String> OF_LAUNCHER = Set.of("CORDWOOD_JAVA_OPTS", "CORDWOOD_CACHE");

  private static final String PREFIX = "CORDWOOD_";
  private static final String NODE = "CORDWOOD_NODE";

  private final QuickCommand command;
  private final List<String> arguments = new ArrayList<>();
  private boolean hasNode;

  private QuickStart(QuickCommand command) {
    this.command = command;
  }

  /** Runs a command as a program of its own, and ends the process; or returns, and did nothing. */
  static void runIfUsual(String name, QuickCommand command, String[] args) {
    Map<String, String> environment = System.getenv();
    if (isTaken(command, args, environment)) {
      // Not exit, which first looks for a log to write that to; nothing is left to be done.
      Runtime.getRuntime().halt(run(name, command, environment.get(NODE)));
    }
  }

  private static int run(String name, QuickCommand command, @Nullable String node) {
    try {
      return command.call();
    } catch (Exception e) {
      boolean ofNode = node != null && String.valueOf(e.getMessage()).contains("--node");
      String blame = ofNode ? " (" + NODE + " is set to '" + node + "')" : "";
      return Programs.fail("cordwood " + name, e, blame);
    }
  }

  /** Whether the command has been told all of the command line, and can be called. */
  static boolean isTaken(QuickCommand command, String[] args, Map<String, String> environment) {
    var start = new QuickStart(command);
    return start.takeAll(args)
        && command.takeArguments(start.arguments)
        && start.takeEnvironment(environment);
  }

  private boolean takeAll(String[] args) {
    for (int at = 0; at < args.length; at++) {
      String arg = args[at];
      if (arg.equals("--")) {
        arguments.addAll(List.of(args).subList(at + 1, args.length));
        return true;
      } else if (!arg.startsWith("-") || arg.equals("-")) {
        arguments.add(arg);
      } else if (!command.take(arg)) {
        int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
        boolean taken =
            equals > 0
                ? take(arg.substring(0, equals), arg.substring(equals + 1))
                : ++at < args.length && !args[at].startsWith("-") && take(arg, args[at]);
        if (!taken) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean take(String flag, String value) {
    hasNode |= flag.equals("--node");
    return command.take(flag, value);
  }

  private boolean takeNode(String value) {
    return hasNode || !command.asksNode() || take("--node", value);
  }

  private boolean takeEnvironment(Map<String, String> environment) {
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(PREFIX) && !OF_LAUNCHER.contains(name)) {
        boolean taken = name.equals(NODE) && takeNode(variable.getValue());
        if (!taken) {
          return false;
        }
      }
    }
    return true;
  }
}
