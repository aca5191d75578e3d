package io.cordwood.dist.server;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.Settings;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import picocli.CommandLine;

/** {@code cordwood config print}: every flag's value, and where it comes from. */
final class ConfigPrintCommand implements Command {
  private NodeRole role = NodeRole.INGESTSTORE;

  String[] flags = {};

  @Override
  public void list(FlagList list) {
    list.description(
        "Print the value of every flag that a node would be started with, and where it comes from.",
        "All other flags are taken as the node's own. What is printed is a configuration file.");
    list.footer("", "  cordwood config print --role store --config new.properties --api-port 7660");
    list.flag("--role")
        .label("COMMAND")
        .help("${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
        .value(NodeRole.class, role, value -> role = value);
    list.unmatched(value -> flags = value);
  }

  @Override
  public Integer call() throws IOException {
    CommandLine node = role.line();
    Settings settings = Programs.parse(node, System.getenv(), flags);
    var text = new StringBuilder();
    FlagValue.allOf(node.getCommandSpec())
        .filter(each -> !each.flag().longestName().equals("--config"))
        .forEach(each -> text.append(line(each, settings)).append('\n'));
    StandardOutput.print(text.toString());
    return Programs.SUCCESS;
  }

  private static String line(FlagValue flag, Settings settings) {
    String key = flag.flag().longestName().replaceFirst("^--", "");
    String value = flag.text();
    String setting = value.isEmpty() ? "# " + key + " =" : key + " = " + value;
    return "%-40s # %s".formatted(setting, settings.origin(flag.flag()));
  }
}
