package io.cordwood.dist.server;

import io.cordwood.cli.program.ClientToken;
import io.cordwood.cli.program.Environment;
import io.cordwood.common.text.Spelling;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A node's configuration, for its log: the flags that have other values than usual, wherever those
 * came from, and variables of the environment that look like flags and are none.
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

  /** Says it, of a command whose command line was read. */
  static void log(CommandSpec command, Map<String, String> variables) {
    LOG.info("flags: {}", flags(command));
    Set<String> known = known(command);
    Set<String> unknown = unknown(known, variables.keySet());
    if (unknown.isEmpty()) {
      return;
    }
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

  /** Variables that are named like those of flags, and are none of the known ones. */
  static Set<String> unknown(Set<String> known, Collection<String> variables) {
    return variables.stream()
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
        .filter(name -> !OF_LAUNCHER.contains(name) && !OF_SERVICES.matcher(name).matches())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The variables of a command's flags. */
  static Set<String> known(CommandSpec command) {
    return FlagValue.allOf(command)
        .flatMap(each -> Environment.names(each.flag()).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The flags that have another value than usual, with it. */
  static String flags(CommandSpec command) {
    String others =
        FlagValue.allOf(command)
            .filter(each -> !each.isUsual())
            .map(each -> each.flag().longestName() + "=" + each.text())
            .collect(Collectors.joining(" "));
    return others.isEmpty() ? "all as usual" : others;
  }
}
