package io.cordwood.cli.segment;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.text.Sizes;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code cordwood segment info}: what segment files hold, as tables. */
final class SegmentInfoCommand implements Command {
  private final SegmentFileArguments files = new SegmentFileArguments();

  private boolean withBlocks;

  @Override
  public void list(FlagList list) {
    list.description("Print what segments hold: their range of time, topics, sizes, and blocks.");
    list.footer("", "Exit code 0; 1 if a file is damaged; 2 on error.");
    list.sorted();
    list.addAll(files);
    list.flag("--blocks")
        .help("Print a row for each block of a store segment.")
        .on(value -> withBlocks = value);
  }

  @Override
  public Integer call() throws IOException {
    return files.inspect(this::inform);
  }

  private boolean inform(Path file) throws IOException {
    try (SegmentReader reader = SegmentReader.open(file)) {
      Contents contents = new Contents();
      reader.visit(contents);
      List<BlockInfo> blocks = reader.blocks();
      var table = new Table();
      table.add(file, reader, contents.totals, blocks.size());
      if (withBlocks) {
        blocks.forEach(table::add);
      }
      contents.damage.forEach(d -> table.row("damage", String.valueOf(d.getMessage())));
      StandardOutput.print(table.text);
      return contents.damage.isEmpty();
    }
  }

  private static final class Table {
    private final StringBuilder text = new StringBuilder();

    private void add(Path file, SegmentReader reader, SegmentSums totals, int blocks)
        throws IOException {
      row("file", file);
      row("kind", reader.kind());
      totals.range().ifPresent(range -> row("range", range));
      totals.range().ifPresent(r -> row("time", r.from().time() + " to " + r.to().time()));
      row(
          "records",
          "%d in %d batches, %d blocks".formatted(totals.records(), totals.batches(), blocks));
      row(
          "bytes",
          "%d (%s) in the file, %d (%s) of records, ratio %.3f"
              .formatted(
                  reader.fileBytes(),
                  Sizes.format(reader.fileBytes()),
                  totals.payloadBytes(),
                  Sizes.format(totals.payloadBytes()),
                  (double) reader.fileBytes() / Math.max(1, totals.payloadBytes())));
      if (reader.listBytes() > 0) {
        row("list", "%d bytes for its batches".formatted(reader.listBytes()));
      }
      if (totals.labels() > 0) {
        row("labels", "%d different ones".formatted(totals.labels()));
      }
      totals
          .byTopic()
          .forEach((topic, sum) ->
              row(
                  "topic",
                  "%s: %d records, %d bytes".formatted(topic, sum.records(), sum.bytes())));
    }

    private void add(BlockInfo block) {
      row(
          "block",
          String.format(
              Locale.ROOT,
              "%5d at %10d  %8d of %8d bytes  %6d records in %5d batches  %s  %s",
              block.ordinal(),
              block.offset(),
              block.storedBytes(),
              block.rawBytes(),
              block.records(),
              block.batches(),
              block.range(),
              block.topic()));
    }

    private void row(String name, Object value) {
      text.append("%-9s %s%n".formatted(name, value));
    }
  }

  private static final class Contents implements SegmentReader.Visitor {
    private final SegmentSums totals = new SegmentSums();
    private final List<CorruptException> damage = new ArrayList<>();

    @Override
    public void batch(Batch batch) {
      totals.add(batch);
    }

    @Override
    public void damage(CorruptException found) {
      damage.add(found);
    }
  }
}
