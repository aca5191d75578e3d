package io.cordwood.dist;

import io.cordwood.agent.ForwardCommand;
import io.cordwood.cli.ca.CaCommand;
import io.cordwood.cli.cold.ColdCommand;
import io.cordwood.cli.manual.CompletionCommand;
import io.cordwood.cli.manual.ManCommand;
import io.cordwood.cli.plan.PlanCommand;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.search.DeleteCommand;
import io.cordwood.cli.search.FieldsCommand;
import io.cordwood.cli.search.GrepCommand;
import io.cordwood.cli.search.HealthCommand;
import io.cordwood.cli.search.HistogramCommand;
import io.cordwood.cli.search.LabelsCommand;
import io.cordwood.cli.search.ReadCommand;
import io.cordwood.cli.search.ShapesCommand;
import io.cordwood.cli.search.StatsCommand;
import io.cordwood.cli.search.TailCommand;
import io.cordwood.cli.search.TopicsCommand;
import io.cordwood.cli.secret.SecretsCommand;
import io.cordwood.cli.segment.SegmentCommand;
import io.cordwood.cli.testsvc.TestServiceCommand;
import io.cordwood.cli.token.TokenCommand;
import io.cordwood.cli.transfer.ExportCommand;
import io.cordwood.cli.transfer.ImportCommand;
import io.cordwood.cli.watch.WatchCommand;
import io.cordwood.dist.backup.BackupCommand;
import io.cordwood.dist.backup.RestoreCommand;
import io.cordwood.dist.server.NodeCommands;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * All programs in one: {@code cordwood COMMAND …}. Only the class of the command that is asked for
 * is loaded; all of them are for {@code --help} and for an unknown name.
 */
public final class Cordwood implements Command {
  private static final List<String> NAMES =
      List.of(
          "ingeststore",
          "ingest",
          "store",
          "query",
          "demo",
          "forward",
          "grep",
          "tail",
          "read",
          "histogram",
          "stats",
          "fields",
          "shapes",
          "topics",
          "labels",
          "watch",
          "delete",
          "health",
          "testsvc",
          "plan",
          "config",
          "segment",
          "cold",
          "backup",
          "restore",
          "export",
          "import",
          "token",
          "ca",
          "secrets",
          "completion",
          "man");

  private @Nullable CommandSpec spec;

  @Override
  public void list(FlagList list) {
    list.description("Log management you can grep.");
    list.subcommandLabel("COMMAND");
    list.footer(
        "",
        "Try it, in one window and another:",
        "  cordwood ingeststore",
        "  cordwood testsvc --count 1000 --rate 1000 | cordwood forward localhost:7651",
        "  cordwood grep error",
        "",
        "'cordwood help COMMAND' or 'cordwood COMMAND --help' tells more of a command.",
        "Exit codes: 0 success, 1 nothing found or damage found, 2 an error.");
    list.sorted();
    spec = list.command();
  }

  private Cordwood() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs one command; its exit code. */
  public static int run(String... args) {
    if (args.length > 0 && args[0].equals("help")) {
      return help(Arrays.copyOfRange(args, 1, args.length));
    }
    Command command = args.length == 0 ? null : named(args[0]);
    if (command == null) {
      return Programs.run(whole(), hasWord(args) ? new String[] {args[0]} : args);
    }
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    return Programs.run(Programs.line("cordwood " + args[0], command), rest);
  }

  /** Flags after a command that there is none of, {@code --help} too, say nothing. */
  private static boolean hasWord(String... args) {
    return args.length > 0 && !args[0].startsWith("-");
  }

  private static int help(String... command) {
    return run(Stream.concat(Stream.of(command), Stream.of("--help")).toArray(String[]::new));
  }

  /** One command; null if none has that name. */
  public static @Nullable Command named(String name) {
    return switch (name) {
      case "ingeststore", "ingest", "store", "query", "demo", "config" -> NodeCommands.named(name);
      case "forward" -> new ForwardCommand();
      case "grep" -> new GrepCommand();
      case "tail" -> new TailCommand();
      case "read" -> new ReadCommand();
      case "histogram" -> new HistogramCommand();
      case "stats" -> new StatsCommand();
      case "fields" -> new FieldsCommand();
      case "shapes" -> new ShapesCommand();
      case "topics" -> new TopicsCommand();
      case "labels" -> new LabelsCommand();
      case "watch" -> new WatchCommand();
      case "delete" -> new DeleteCommand();
      case "health" -> new HealthCommand();
      case "testsvc" -> new TestServiceCommand();
      case "plan" -> new PlanCommand();
      case "segment" -> new SegmentCommand();
      case "cold" -> new ColdCommand();
      case "backup" -> new BackupCommand();
      case "restore" -> new RestoreCommand();
      case "export" -> new ExportCommand();
      case "import" -> new ImportCommand();
      case "token" -> new TokenCommand();
      case "ca" -> new CaCommand();
      case "secrets" -> new SecretsCommand();
      case "completion" -> new CompletionCommand(Cordwood::whole);
      case "man" -> new ManCommand(Cordwood::whole);
      default -> null;
    };
  }

  /** The command line of this one, with all others in it. */
  public static CommandLine whole() {
    CommandLine whole = Programs.line("cordwood", new Cordwood());
    for (String name : NAMES) {
      whole.addSubcommand(name, FlagList.of(Objects.requireNonNull(named(name))));
    }
    return whole;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected a command, found none");
  }
}
