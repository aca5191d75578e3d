package io.cordwood.cli.segment;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood segment verify}: checks every byte of segment files. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = "Check every byte of segments, and print each damage with its place.",
    footer = {"", "Exit code 0 if all are intact, 1 if one is damaged, 2 on error."})
final class SegmentVerifyCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Segment files.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing of intact files.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    boolean intact = true;
    for (Path file : files) {
      intact &= verify(file);
    }
    return intact ? Programs.SUCCESS : Programs.NONE;
  }

  private boolean verify(Path file) throws IOException {
    try (SegmentReader reader = SegmentReader.open(file)) {
      List<CorruptException> damage = reader.verify();
      for (CorruptException each : damage) {
        StandardOutput.print(file + ": " + each.getMessage() + "\n");
      }
      if (damage.isEmpty() && !quiet) {
        StandardOutput.print(
            "%s: intact, %s of %d bytes%n".formatted(file, reader.kind(), reader.fileBytes()));
      }
      return damage.isEmpty();
    }
  }
}
