package io.cordwood.cli.segment;

import io.cordwood.cli.program.Programs;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cordwood segment}: looks into segment files, of ingest and of store nodes. */
@Command(
    description = {
      "Look into segment files, of ingest nodes and of store nodes.",
      "What a file is, is told by its first bytes, never by its name. A running node's files may "
          + "be read; what is being written ends in a torn batch now and then."
    },
    synopsisSubcommandLabel = "cat|info|verify",
    subcommands = {SegmentCatCommand.class, SegmentInfoCommand.class, SegmentVerifyCommand.class})
public final class SegmentCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("segment", new SegmentCommand(), args);
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected cat, info or verify, found none");
  }
}
