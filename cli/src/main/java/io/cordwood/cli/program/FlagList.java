package io.cordwood.cli.program;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UnmatchedArgsBinding;

/**
 * The one list of a command's flags: from it come its parser, its help, its page of the manual, the
 * completion, the names of variables and the keys of files. It is picocli's model, which takes
 * several times as long to be made from annotations.
 */
public final class FlagList {
  private final CommandSpec command;

  /** The flags that are being listed, if they exclude each other. */
  private @Nullable ExclusiveFlags group;

  private FlagList(CommandSpec command) {
    this.command = command;
  }

  /** A command with all that it lists, without the flags that ask for help. */
  public static CommandSpec of(Command command) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    spec.usageMessage().sortOptions(false);
    command.list(new FlagList(spec));
    return spec;
  }

  /** A command with all that it lists, and {@code --help} and {@code --version}. */
  static CommandSpec withHelp(Command command) {
    CommandSpec spec = of(command);
    addHelp(spec);
    return spec;
  }

  private static void addHelp(CommandSpec spec) {
    boolean isTaken = spec.findOption("-h") != null; // by grep, for which it is no help
    String[] help = isTaken ? new String[] {"--help"} : new String[] {"-h", "--help"};
    spec.addOption(
        OptionSpec.builder(help)
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Print version information and exit.")
            .build());
    spec.versionProvider(new Version());
  }

  /** The command whose flags these are. */
  public CommandSpec command() {
    return command;
  }

  /** Says what the command does. */
  public FlagList description(String... lines) {
    command.usageMessage().description(lines);
    return this;
  }

  /** Ends the help. */
  public FlagList footer(String... lines) {
    command.usageMessage().footer(lines);
    return this;
  }

  /** Begins the help, where {@code cordwood NAME [OPTIONS]} does not say it all. */
  public FlagList synopsis(String... lines) {
    command.usageMessage().customSynopsis(lines);
    return this;
  }

  /** Has the help show the flags by name, in place of the order in which they are listed. */
  public FlagList sorted() {
    command.usageMessage().sortOptions(true);
    return this;
  }

  /** Stands in the help for the name of a command of this one. */
  public FlagList subcommandLabel(String label) {
    command.usageMessage().synopsisSubcommandLabel(label);
    return this;
  }

  /** Adds a command of this one. */
  public FlagList subcommand(String name, Command each) {
    command.addSubcommand(name, withHelp(each));
    return this;
  }

  /** Adds more flags. */
  public FlagList addAll(Flags flags) {
    ExclusiveFlags outer = group;
    group = flags instanceof ExclusiveFlags one ? one : null;
    flags.list(this);
    group = outer;
    return this;
  }

  /** Begins a flag; the value that is bound adds it. */
  public Flag flag(String... names) {
    ExclusiveFlags of = group;
    return new Flag(flag -> command.addOption(flag.named(of, names)));
  }

  /**
   * Begins an argument that is no flag; the value that is bound adds it.
   *
   * @param index from 0 on, or {@code 0..*}
   * @param arity how many there may be
   */
  public Flag argument(String index, String arity) {
    return new Flag(argument -> command.addPositional(argument.at(index, arity)));
  }

  /** Binds all words that are neither flags nor arguments of the command. */
  public FlagList unmatched(Consumer<String[]> set) {
    command.addUnmatchedArgsBinding(
        UnmatchedArgsBinding.forStringArrayConsumer(new Bound<>(new String[0], set)));
    return this;
  }
}
