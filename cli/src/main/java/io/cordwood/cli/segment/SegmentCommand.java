package io.cordwood.cli.segment;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code cordwood segment}: looks into segment files, of ingest and of store nodes. */
public final class SegmentCommand implements Command {
  private @Nullable CommandSpec spec;

  @Override
  public void list(FlagList list) {
    list.description(
        "Look into segment files, of ingest nodes and of store nodes.",
        "What a file is, is told by its first bytes, never by its name. A running node's files may "
            + "be read; what is being written ends in a torn batch now and then.");
    list.subcommandLabel("cat|info|verify");
    list.subcommand("cat", new SegmentCatCommand());
    list.subcommand("info", new SegmentInfoCommand());
    list.subcommand("verify", new SegmentVerifyCommand());
    list.sorted();
    spec = list.command();
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected cat, info or verify, found none");
  }
}
