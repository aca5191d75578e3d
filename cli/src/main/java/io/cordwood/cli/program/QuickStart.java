package io.cordwood.cli.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usual command lines without picocli, which takes longer to build its model of a command
 * than a node takes to answer. Whatever is not usual is left to picocli: help, errors, rare flags
 * and most variables of the environment. Nothing is ever refused here.
 */
public final class QuickStart {
  /** Variables that are no flags. */
  private static final Set<String> OF_LAUNCHER =
      Set.of("CORDWOOD_JAVA_OPTS", "CORDWOOD_CACHE", ClientToken.VARIABLE);

  private static final String PREFIX = "CORDWOOD_";
  private static final String NODE = "CORDWOOD_NODE";

  /** Variables that are usual, and their flags. */
  private static final Map<String, String> USUAL =
      Map.of(NODE, "--node", "CORDWOOD_TOKEN_FILE", "--token-file");

  private final List<QuickFlags> flags = new ArrayList<>();
  private final Map<OneOf, String> chosen = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final List<String> arguments = new ArrayList<>();

  private QuickStart(QuickCommand command) {
    addAll(command.quickFlags());
  }

  private void addAll(QuickFlags each) {
    flags.add(each);
    each.mixins().forEach(this::addAll);
  }

  /** Runs a command as a program of its own, and ends the process; or returns, and did nothing. */
  public static void runIfUsual(String name, QuickCommand command, String[] args) {
    // Not exit, which first looks for a log to write that to; nothing is left to be done.
    run(name, command, args).ifPresent(Runtime.getRuntime()::halt);
  }

  /**
   * Runs a command as a program of its own, and ends the process in order: for one that lives until
   * a signal.
   *
   * @param command makes it, again if it is left to picocli
   */
  public static void main(String name, Supplier<? extends QuickCommand> command, String[] args) {
    System.exit(runAny(name, command, args));
  }

  /**
   * Runs a command, by picocli if its command line is not usual; the exit code.
   *
   * @param command makes it, again if it is left to picocli
   */
  public static int runAny(
      String name, Supplier<? extends Callable<Integer>> command, String[] args) {
    Callable<Integer> first = command.get();
    OptionalInt quick =
        first instanceof QuickCommand usual ? run(name, usual, args) : OptionalInt.empty();
    return quick.orElseGet(
        () -> Programs.run(Programs.line("cordwood " + name, command.get()), args));
  }

  /** Runs a command if all of its command line is usual; the exit code if so. */
  public static OptionalInt run(String name, QuickCommand command, String[] args) {
    Map<String, String> environment = System.getenv();
    return isTaken(command, args, environment)
        ? OptionalInt.of(run(name, command, environment, args))
        : OptionalInt.empty();
  }

  private static int run(
      String name, QuickCommand command, Map<String, String> environment, String... args) {
    try {
      return command.call();
    } catch (Exception e) {
      return Programs.fail("cordwood " + name, command, e, environment, args);
    }
  }

  /** Whether the command has been told all of the command line, and can be called. */
  public static boolean isTaken(
      QuickCommand command, String[] args, Map<String, String> environment) {
    var start = new QuickStart(command);
    return start.takeAll(command.rewritten(args))
        && command.exclusions().stream().noneMatch(exclusion -> exclusion.isOf(start.given))
        && command.takeArguments(start.arguments)
        && start.takeSettings(command)
        && start.takeEnvironment(environment, command.flagsOfEnvironment());
  }

  private boolean takeAll(String[] args) {
    for (int at = 0; at < args.length; at++) {
      String arg = args[at];
      if (arg.equals("--")) {
        arguments.addAll(List.of(args).subList(at + 1, args.length));
        return true;
      } else if (isValue(arg)) {
        arguments.add(arg);
      } else {
        String next = at + 1 < args.length && mayFollow(args[at + 1]) ? args[at + 1] : null;
        int taken = arg.startsWith("--") ? takeName(arg, next) : takeLetters(arg, next);
        if (taken == 0) {
          return false;
        }
        at += taken - 1;
      }
    }
    return true;
  }

  private static boolean isValue(String arg) {
    return !arg.startsWith("-") || arg.equals("-");
  }

  /**
   * Whether it may be the value of a flag: {@code -3d} is a time, and no flag but {@code -0} a
   * digit.
   */
  private static boolean mayFollow(String arg) {
    return isValue(arg) || (arg.charAt(1) >= '1' && arg.charAt(1) <= '9');
  }

  /** Takes {@code --invert-match}, {@code --tail 5} or {@code --tail=5}; how many arguments. */
  private int takeName(String arg, @Nullable String next) {
    int equals = arg.indexOf('=');
    if (equals > 0) {
      String value = arg.substring(equals + 1);
      return mayFollow(value) && take(arg.substring(0, equals), value) ? 1 : 0;
    }
    return take(arg) ? 1 : next != null && take(arg, next) ? 2 : 0;
  }

  /** Takes {@code -v}, {@code -n 5}, {@code -ivn5} or {@code -ivn 5}; how many arguments. */
  private int takeLetters(String arg, @Nullable String next) {
    for (int at = 1; at < arg.length(); at++) {
      String flag = "-" + arg.charAt(at);
      if (!take(flag)) {
        boolean last = at == arg.length() - 1;
        String value = last ? next : arg.substring(at + 1);
        if (value == null || !isValue(value) || value.startsWith("=")) {
          return 0;
        }
        return take(flag, value) ? (last ? 2 : 1) : 0;
      }
    }
    return 1;
  }

  private boolean take(String flag) {
    for (QuickFlags each : flags) {
      if (each.take(flag)) {
        return isOnlyOne(each, flag);
      }
    }
    return false;
  }

  private boolean take(String flag, String value) {
    for (QuickFlags each : flags) {
      if (each.take(flag, value)) {
        return isOnlyOne(each, flag);
      }
    }
    return false;
  }

  /** Whether none was taken that excludes a flag; its other names are not usual beside it. */
  private boolean isOnlyOne(QuickFlags of, String flag) {
    given.add(flag);
    String first = of.holder() instanceof OneOf one ? chosen.putIfAbsent(one, flag) : null;
    return first == null || first.equals(flag);
  }

  private boolean takeSettings(QuickCommand command) {
    try {
      return command.settings().stream()
          .allMatch(each -> takeSetting("--" + each.key(), each.value()));
    } catch (CommandException e) {
      return false; // picocli says more of it
    }
  }

  private boolean takeSetting(String flag, String value) {
    if (flag.equals(FileSettings.FLAG) || value.isEmpty()) {
      return false;
    }
    boolean isOn = value.equals("true") || value.equals("1");
    return given.contains(flag) || take(flag, value) || (isOn && take(flag));
  }

  private boolean takeEnvironment(Map<String, String> environment, Set<String> flagsOfUse) {
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(PREFIX) && !OF_LAUNCHER.contains(name)) {
        String flag = USUAL.getOrDefault(name, "");
        boolean needless = given.contains(flag) || !flagsOfUse.contains(flag);
        if (flag.isEmpty() || !(needless || take(flag, variable.getValue()))) {
          return false;
        }
      }
    }
    return true;
  }
}
