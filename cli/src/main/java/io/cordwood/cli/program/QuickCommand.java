package io.cordwood.cli.program;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A command whose usual flags can be set without picocli. If something on the command line is not
 * taken, all is left to picocli, and to a new command.
 */
public interface QuickCommand extends Callable<Integer> {
  /** Sets its flags. */
  QuickFlags quickFlags();

  /** The command line with what other programs call a flag in the words that this one has. */
  default String[] rewritten(String... args) {
    return args;
  }

  /** Sets what is no flag; false if the command cannot be called so. */
  default boolean takeArguments(List<String> arguments) {
    return arguments.isEmpty();
  }

  /** Which of its flags exclude each other, beside those of a {@link OneOf}. */
  default List<Exclusion> exclusions() {
    return List.of();
  }

  /**
   * Flags without their dashes, and values, that a file sets; those that count more come first. The
   * command line counts more than all of them.
   *
   * @throws CommandException if the file is none
   */
  default List<ConfigFile.Entry> settings() {
    return List.of();
  }

  /** Its flags that usual variables of the environment set; it has no use for the others. */
  default Set<String> flagsOfEnvironment() {
    return Set.of("--node", "--token-file");
  }
}
