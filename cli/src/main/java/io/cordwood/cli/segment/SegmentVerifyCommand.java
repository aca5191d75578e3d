package io.cordwood.cli.segment;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code cordwood segment verify}: checks every byte of segment files. */
final class SegmentVerifyCommand implements Command {
  private final SegmentFileArguments files = new SegmentFileArguments();

  private boolean quiet;

  @Override
  public void list(FlagList list) {
    list.description("Check every byte of segments, and print each damage with its place.");
    list.footer("", "Exit code 0 if all are intact, 1 if one is damaged, 2 on error.");
    list.sorted();
    list.addAll(files);
    list.flag("-q", "--quiet").help("Print nothing of intact files.").on(value -> quiet = value);
  }

  @Override
  public Integer call() throws IOException {
    return files.inspect(this::verify);
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
