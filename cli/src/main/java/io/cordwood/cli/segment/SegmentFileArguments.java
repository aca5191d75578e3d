package io.cordwood.cli.segment;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The segment files that a command is given. */
final class SegmentFileArguments implements Flags {
  private List<Path> files = new ArrayList<>();

  /** Looks at one file. */
  @FunctionalInterface
  interface Inspection {
    /** Returns whether it is intact. */
    boolean of(Path file) throws IOException;
  }

  @Override
  public void list(FlagList list) {
    list.argument("0..*", "1..*")
        .label("FILE")
        .help("Segment files.")
        .list(Path.class, files, value -> files = value);
  }

  /** Looks at all, in the order of the command line; returns the exit code of the command. */
  int inspect(Inspection inspection) throws IOException {
    boolean intact = true;
    for (Path file : files) {
      intact &= inspection.of(file);
    }
    return intact ? Programs.SUCCESS : Programs.NONE;
  }
}
