package io.cordwood.dist.server;

import io.cordwood.cli.program.Environment;
import io.cordwood.cli.program.FlagValue;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.Values;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code cordwood config print}: every flag's value, and where it comes from. */
@Command(
    name = "print",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Print the value of every flag that a node would be started with, and where it comes from.",
      "All other flags are taken as the node's own. What is printed is a configuration file."
    },
    footer = {"", "  cordwood config print --role store --config new.properties --api-port 7660"})
final class ConfigPrintCommand implements Callable<Integer> {
  @Option(
      names = "--role",
      paramLabel = "COMMAND",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private NodeRole role = NodeRole.INGESTSTORE;

  @Unmatched private List<String> flags = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    CommandLine node = role.line();
    Environment environment = Programs.parse(node, System.getenv(), flags.toArray(String[]::new));
    var text = new StringBuilder();
    for (OptionSpec flag : node.getCommandSpec().options()) {
      if (!flag.usageHelp() && !flag.versionHelp() && !flag.longestName().equals("--config")) {
        text.append(line(flag, environment)).append('\n');
      }
    }
    StandardOutput.print(text.toString());
    return Programs.SUCCESS;
  }

  private static String line(OptionSpec flag, Environment environment) {
    boolean size = Stream.of(flag.converters()).anyMatch(each -> each instanceof Values.SizeValue);
    String value = new FlagValue(flag.longestName(), flag.getValue(), size).text();
    String key = flag.longestName().replaceFirst("^--", "");
    String setting = value.isEmpty() ? "# " + key + " =" : key + " = " + value;
    return "%-40s # %s".formatted(setting, environment.origin(flag));
  }
}
