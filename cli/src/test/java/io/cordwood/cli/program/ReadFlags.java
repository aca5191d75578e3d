package io.cordwood.cli.program;

import java.util.Map;

/** Reads flags as those of a command are, without a command. */
public final class ReadFlags {
  private ReadFlags() {}

  /**
   * Sets flags by words of a command line.
   *
   * @throws CommandException if it cannot be read so
   */
  public static <T extends Flags> T into(T flags, String... words) {
    Programs.parse(Programs.line("test", new Holder(flags)), Map.of(), words);
    return flags;
  }

  private record Holder(Flags flags) implements Command {
    @Override
    public void list(FlagList list) {
      list.addAll(flags);
    }

    @Override
    public Integer call() {
      return Programs.SUCCESS;
    }
  }
}
