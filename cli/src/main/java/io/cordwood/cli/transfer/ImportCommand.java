package io.cordwood.cli.transfer;

import io.cordwood.cli.files.FileRecords;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.LabelFlag;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.SenderCredentials;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code cordwood import}: sends files to a cluster as if each line had arrived at the time that it
 * has in it.
 *
 * <pre>
 *   file ──► TimedLines ──► ImportedBatches ──► Forwarder ──► durable port of a node
 * </pre>
 */
public final class ImportCommand implements Command {
  private static final int DURABLE_PORT = 7652;
  private static final Duration FOREVER = Duration.ofDays(10_000);

  private List<String> targets = new ArrayList<>();

  private List<String> files = new ArrayList<>();

  private String topic = "default";

  private String timePattern = TimePattern.ISO;

  private ZoneFlag zone = new ZoneFlag();

  private LabelFlag labels = new LabelFlag();

  private SenderCredentials credentials = new SenderCredentials();

  @Override
  public void list(FlagList list) {
    list.description(
        "Send the lines of files with the times that they have in them, such as logs from before "
            + "there was a cluster. A line without a time has that of the line before.",
        "Files are read as a whole before anything is sent, so bad input changes nothing. The same "
            + "file, with the same topic, labels and times, becomes the same records: an import "
            + "that was interrupted is run again, and nothing is there twice.");
    list.footer(
        "",
        "Stores delete what is older than their --retention: set that first.",
        "",
        "  cordwood import --topic shop --file shop.log --file shop.log.1.gz localhost",
        "  cordwood import --time-pattern 'dd.MM.yyyy HH:mm' --tz Europe/Berlin --file old.log"
            + " log1",
        "  xz -dc old.xz | cordwood import --time-pattern syslog --topic old log1 log2");
    list.argument("0..*", "1..*")
        .label("HOST:PORT")
        .help(
            "Durable ports of ingest nodes, tried in random order. Default port: 7652. tls://"
                + " before it: with TLS.")
        .list(String.class, targets, value -> targets = value);
    list.flag("--file")
        .label("FILE")
        .help(
            "Lines, plain or packed by gzip or zstd; may be given several times. - is standard "
                + "input, which is read once, so that running it again doubles its lines. "
                + "Default: -.")
        .list(String.class, files, value -> files = value);
    list.flag("--topic")
        .label("NAME")
        .help("Of all lines. Default: default.")
        .value(String.class, topic, value -> topic = value);
    list.addAll(labels);
    list.flag("--time-pattern")
        .label("PATTERN")
        .help(
            "How times are written in the first 256 bytes of a line: iso (2026-11-25 10:00:00.123, "
                + "also with T, comma, or as 20261125T100000), clf (25/Nov/2026:10:00:00 +0000), "
                + "syslog (Nov 25 10:00:00), unix (1700000000.123, or ms, us, ns), or letters "
                + "such as 'yyyy-MM-dd HH:mm:ss,SSS', as of Log4j and Logback. A zone after a time "
                + "counts: Z, +01, -0700, UTC, CET, Europe/Berlin; one that means several, as CST, "
                + "is refused. Default: iso.")
        .value(String.class, timePattern, value -> timePattern = value);
    list.addAll(zone);
    list.addAll(credentials);
  }

  @Override
  public Integer call() throws IOException {
    ForwarderOptions options = options();
    Origin origin = new Origin(topic, Labels.of(labels.pairs()));
    List<ImportFile> imports = surveyed();
    long start = System.nanoTime();
    var total = new ImportTotal();
    try (Forwarder forwarder = Forwarder.start(options, new ImportLog())) {
      for (ImportFile file : imports) {
        total.add(file.send(forwarder, origin));
      }
      forwarder.close(FOREVER);
    }
    System.err.println("cordwood import: " + total.text(System.nanoTime() - start));
    return total.isNothing() ? Programs.NONE : Programs.SUCCESS;
  }

  private List<ImportFile> surveyed() throws IOException {
    Instant now = Instant.now();
    pattern(now); // What is wrong with it is said before a file is.
    List<String> names = files.isEmpty() ? List.of(FileRecords.STANDARD_INPUT) : files;
    List<ImportFile> imports = new ArrayList<>();
    for (String name : names) {
      ImportFile file = new ImportFile(name, () -> pattern(now), now);
      file.survey(line -> System.err.println("cordwood import: " + line));
      imports.add(file);
    }
    return imports;
  }

  private TimePattern pattern(Instant now) {
    try {
      return TimePattern.parse(timePattern, zone.ofReading(), now);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--time-pattern: " + e.getMessage(), e);
    }
  }

  private ForwarderOptions options() {
    ForwarderOptions.Builder options = ForwarderOptions.builder();
    try {
      targets.forEach(target -> options.target(Target.parse(target, DURABLE_PORT)));
      credentials.token().ifPresent(options::token);
      credentials.tokenFile().map(Object::toString).ifPresent(options::tokenFile);
      credentials.authorities().ifPresent(options::tlsAuthorities);
      return options.topic(topic).keepTimes(true).build();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
