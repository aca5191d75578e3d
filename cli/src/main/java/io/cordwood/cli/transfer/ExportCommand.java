package io.cordwood.cli.transfer;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.DelimiterFlag;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.cli.records.JsonRecord;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.text.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code cordwood export}: writes the records of a cluster into a file. */
public final class ExportCommand implements Command {
  private AskedNodes nodes = new AskedNodes();
  private RangeFlags range = new RangeFlags();
  private TopicFlag topics = new TopicFlag();

  private boolean json;

  private DelimiterFlag delimiter = new DelimiterFlag();

  private boolean zstd;

  private @Nullable Path file;

  @Override
  public void list(FlagList list) {
    list.description(
        "Write all records, or those of some topics and times, the oldest first, as text or as"
            + " JSON.",
        "When a node goes away, it goes on with the next one, or with the same one when that is "
            + "back, after the last record that it has written: none is lost, and none is there "
            + "twice.");
    list.footer(
        "",
        "Exit code 0 if a record was written, 1 if there is none, 2 on error or if records may be",
        "missing.",
        "",
        "  cordwood export --topic shop --since yesterday --until today -o shop.log",
        "  cordwood export --json --zstd -o all.ndjson.zst",
        "  cordwood export --json --topic 'svc-*' | jq -r .record");
    list.addAll(nodes);
    list.addAll(range);
    list.addAll(topics);
    list.flag("--json")
        .help(
            "An object a line: ulid, time, topic, record, and record_base64 for bytes that are not "
                + "UTF-8. Default: the records alone, each ended by LF.")
        .on(value -> json = value);
    list.addAll(delimiter);
    list.flag("--zstd").help("Pack what is written, by zstd.").on(value -> zstd = value);
    list.flag("-o", "--output")
        .label("FILE")
        .help(
            "Where to. While it is written it is FILE.part, which takes the place of FILE once it"
                + " is whole and on the disk. Default: standard output.")
        .value(Path.class, file, value -> file = value);
  }

  @Override
  public Integer call() throws Exception {
    if (json && delimiter.isNul()) {
      throw new CommandException("expected one of --json and -z, found both");
    }
    if (file == null && zstd && StandardOutput.isTerminal()) {
      throw new CommandException("--zstd: expected -o FILE or a pipe, found a terminal");
    }
    RangeFlags.Range wanted = range.range();
    try (ExportFile out = new ExportFile(file, zstd)) {
      var export = new Export(nodes, wanted, this::addTopics, (line, r) -> write(out, line, r));
      export.run();
      if (!export.isIncomplete()) {
        out.finish();
      }
      return report(out, export);
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
  }

  private void addTopics(QueryString query) {
    topics.addTo(query);
  }

  private void write(ExportFile out, byte[] line, JsonRecord record) throws IOException {
    if (json) {
      out.write(line, (byte) '\n');
    } else {
      out.write(Objects.requireNonNull(record.record()), delimiter.value());
    }
  }

  private int report(ExportFile out, Export export) {
    if (file != null && (export.records() > 0 || !export.isIncomplete())) {
      System.err.printf(
          "cordwood export: %s: %d records, %s%s%n",
          export.isIncomplete() ? out.part() : file,
          export.records(),
          Sizes.format(out.bytes()),
          export.span());
    }
    return export.isIncomplete()
        ? Programs.ERROR
        : export.records() > 0 ? Programs.SUCCESS : Programs.NONE;
  }
}
