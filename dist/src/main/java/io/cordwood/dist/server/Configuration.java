package io.cordwood.dist.server;

import io.cordwood.common.text.Sizes;
import io.cordwood.common.text.Spelling;
import io.cordwood.dist.program.ClientToken;
import io.cordwood.dist.program.Environment;
import io.cordwood.dist.program.Values;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A node's effective configuration, for its log: the value of every flag, wherever it came from,
 * and variables of the environment that look like flags and are none.
 */
final class Configuration {
  private static final Logger LOG = LoggerFactory.getLogger(Configuration.class);
  private static final String PREFIX = "CORDWOOD_";
  private static final Set<String> OF_LAUNCHER =
      Set.of("CORDWOOD_JAVA_OPTS", "CORDWOOD_CACHE", ClientToken.VARIABLE);

  /** Variables that Kubernetes sets for a service whose name begins with cordwood. */
  private static final Pattern OF_SERVICES =
      Pattern.compile("CORDWOOD_(\\w+_)?(SERVICE_HOST|SERVICE_PORT\\w*|PORT|PORT_\\d+_\\w+)");

  private Configuration() {}

  /** Says it. */
  static void log(CommandSpec command, Map<String, String> variables) {
    LOG.info("flags: {}", flags(command));
    Set<String> unknown = unknown(command, variables.keySet());
    if (unknown.isEmpty()) {
      return;
    }
    Set<String> known = known(command);
    String all =
        unknown.stream().map(name -> name + meant(name, known)).collect(Collectors.joining(", "));
    if (unknown.stream().anyMatch(name -> !meant(name, known).isEmpty())) {
      LOG.warn("variables that set no flag of this node: {}", all);
    } else {
      LOG.info("variables that set no flag of this node: {}", all);
    }
  }

  /** The name that was probably meant; empty for one that is like none. */
  static String meant(String name, Set<String> known) {
    List<String> flags = known.stream().map(each -> each.substring(PREFIX.length())).toList();
    return Spelling.nearest(name.substring(PREFIX.length()), flags)
        .map(near -> " (did you mean " + PREFIX + near + "?)")
        .orElse("");
  }

  /** Variables that are named like those of flags, and are none of this command's. */
  static Set<String> unknown(CommandSpec command, Collection<String> variables) {
    Set<String> known = known(command);
    return variables.stream()
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
        .filter(name -> !OF_LAUNCHER.contains(name) && !OF_SERVICES.matcher(name).matches())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Set<String> known(CommandSpec command) {
    return command.options().stream()
        .flatMap(flag -> Environment.names(flag).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** All flags that have a value, with it. */
  static String flags(CommandSpec command) {
    var all = new StringJoiner(" ");
    for (OptionSpec flag : command.options()) {
      if (!flag.usageHelp() && !flag.versionHelp()) {
        String value = text(flag);
        if (!value.isEmpty()) {
          all.add(flag.longestName() + "=" + value);
        }
      }
    }
    return all.toString();
  }

  /** A flag's value as it can be given on a command line; empty if it has none, or no bound. */
  static String text(OptionSpec flag) {
    boolean size = Stream.of(flag.converters()).anyMatch(each -> each instanceof Values.SizeValue);
    return text(flag.getValue(), size);
  }

  private static String text(@Nullable Object value, boolean size) {
    return switch (value) {
      case null -> "";
      case Long bytes when size -> bytes == Long.MAX_VALUE ? "" : Sizes.exact(bytes);
      case Duration time when time.toMillisPart() != 0 -> time.toMillis() + "ms";
      case Duration time -> time.toString().substring(2).toLowerCase(Locale.ROOT);
      case List<?> list -> list.stream().map(Objects::toString).collect(Collectors.joining(","));
      default -> value.toString();
    };
  }
}
