package io.cordwood.agent;

import io.cordwood.agent.journal.JournalSource;
import io.cordwood.agent.pods.NodePods;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.LabelFlag;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.SenderCredentials;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.HostName;
import io.cordwood.forwarder.SpoolOptions;
import io.cordwood.forwarder.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code cordwood forward}: standard input, a command's output, what programs send to a socket, or
 * files, to any of several ingest nodes.
 *
 * <pre>
 *   ForwardInput ──► ForwardStream ──► Forwarder [memory, spool] ──► ingest node
 *                                            ▲                           │
 *                                            └───── acknowledgements ────┘
 * </pre>
 *
 * Reading stops while memory and spool are full, so that a node which is away for long slows the
 * writer instead of losing its lines.
 */
public final class ForwardCommand implements Command {
  private static final int FAST_PORT = 7651;
  private static final int DURABLE_PORT = 7652;
  private static final int BULK_PORT = 7653;

  private static final String TLS = "tls://";
  private static final String DEFAULT_TOPIC = "default";

  private static final int WINDOW = 16 << 20;

  /** So that reading goes on while the checkpoint is forced. */
  private static final int FILES_WINDOW = 32 << 20;

  /** The part of the window for batches that are planned and about to be sent. */
  private static final int PLANNED_BYTES = 2 << 20;

  private static final int DEFAULT_UPLOAD_BYTES = 16 << 20;
  private static final int MAX_UPLOAD_BYTES = 32 << 20;
  private static final Duration UPLOAD_LINGER = Duration.ofSeconds(1);

  /** A node that has an upload says every 10 s that it still waits for the stores. */
  private static final Duration UPLOAD_ACK_TIMEOUT = Duration.ofMinutes(1);

  /** As good as for ever, and far from any overflow. */
  private static final Duration FOREVER = Duration.ofDays(10_000);

  private List<String> targets = new ArrayList<>();

  @Nullable String topic;
  LabelFlag labels = new LabelFlag();
  boolean noHost;
  FollowFlags files = new FollowFlags();
  JournalFlags journal = new JournalFlags();
  StreamFlags streams = new StreamFlags();
  boolean durable;
  boolean bulk;
  @Nullable Long uploadBytes;
  SenderCredentials credentials = new SenderCredentials();
  Duration drain = FOREVER;
  @Nullable Path statsFile;
  boolean noBalance;
  boolean quiet;

  @Override
  public void list(FlagList list) {
    list.description(
        "Send the lines of standard input, of files, of a command or of other programs to ingest "
            + "nodes.",
        "Lines that are not acknowledged when a connection is lost are sent again, with the same"
            + " identity, to the same node or another one: nothing is lost and nothing is there"
            + " twice. While no node can be reached, reading stops. When all refuse for good, such"
            + " as for a wrong token, it ends.",
        "",
        "With --bulk they are collected, for a second at most, into uploads, and each is sent again"
            + " until it is on as many stores as --replication-factor says.");
    list.footer(
        "",
        "Exit code 0 when every line was acknowledged, or is in the spool; 2 when not, or when "
            + "something in the spool is damaged or cannot be read.",
        "",
        "  cordwood forward --durable --file '/var/log/app/*.log' --topic '{name}' node1 node2",
        "  tail -F app.log | cordwood forward --topic app node1 node2:7651",
        "  tail -F app.log | cordwood forward --durable node1 node2",
        "  cordwood forward --bulk --topic app node1 node2 < app.log");
    list.sorted();
    listFlags(list);
  }

  private void listFlags(FlagList list) {
    list.argument("0..*", "1..*")
        .label("HOST:PORT")
        .help(
            "Fast, durable or bulk ports of ingest nodes, tried in random order. Default port:"
                + " 7651, with --durable 7652, with --bulk 7653. tls:// before it: with TLS.")
        .list(String.class, targets, value -> targets = value);
    list.flag("--topic")
        .label("NAME")
        .help(
            "Topic of all lines. With --file, {name} in it is the file's name without its ending, "
                + "{file} the whole name, {folder} that of its folder; {namespace}, {pod} and "
                + "{container} are those of a container's file. Default: default.")
        .value(String.class, topic, value -> topic = value);
    list.addAll(labels);
    list.flag("--no-host")
        .help(
            "Without the label host, which has this machine's name unless --label says otherwise.")
        .on(value -> noHost = value);
    list.addAll(files);
    list.addAll(journal);
    list.addAll(streams);
    list.flag("--durable")
        .help(
            "Where no port is given, use the durable one: lines are kept, and sent again if need"
                + " be, until they are forced to a node's disk.")
        .on(value -> durable = value);
    list.flag("--bulk")
        .help(
            "Send to bulk ports: lines are kept, and sent again if need be, until they are on the "
                + "disks of as many stores as --replication-factor says.")
        .on(value -> bulk = value);
    list.flag("--upload-size")
        .label("BYTES")
        .help(
            "With --bulk: most bytes of an upload, 2MiB to 32MiB; twice as much memory is taken. "
                + "Default: 16MiB.")
        .size(uploadBytes, value -> uploadBytes = value);
    list.addAll(credentials);
    list.flag("--drain")
        .label("DURATION")
        .help(
            "How long to wait for acknowledgements when the input has ended, such as 30s. "
                + "Default: until they are there.")
        .duration(drain, value -> drain = value);
    list.flag("--stats-file")
        .label("FILE")
        .help("Write figures as JSON to this file, each second.")
        .value(Path.class, statsFile, value -> statsFile = value);
    list.flag("--no-balance")
        .help(
            "Stay with the targets: do not ask nodes for the others and their load, and do not go"
                + " to a less loaded one.")
        .on(value -> noBalance = value);
    list.flag("-q", "--quiet")
        .help("No lines on standard error but errors.")
        .on(value -> quiet = value);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("forward", new ForwardCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    check();
    if (isFollowing()) {
      return follow();
    }
    streams.check(bulk);
    if (topic != null && topic.indexOf('{') >= 0) {
      throw new CommandException(
          "--topic: expected a name, as placeholders are for --file, found " + topic);
    }
    ForwarderOptions options = options(topic == null ? DEFAULT_TOPIC : topic);
    return new StreamRun(streams.input(quiet), sending(options)).run();
  }

  private int follow() throws IOException {
    try {
      String name = topic == null ? DEFAULT_TOPIC : topic;
      ForwarderOptions options = options(DEFAULT_TOPIC);
      Labels ofAll = options.records().labels();
      int ofJournal = journal.isGiven() ? JournalSource.MOST_HELD_BYTES : 0;
      int mostHeld = options.memory().windowBytes() - PLANNED_BYTES - ofJournal;
      try (NodePods pods = files.pods(System.getenv(), ForwardLog::say)) {
        return new FollowRun(
                files.options(name, topic != null, ofAll, pods, mostHeld),
                journal.options(ofAll, files.areFromEnd(), files.once),
                sending(options),
                pods)
            .run();
      }
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Whether what is read is in the checkpoint, rather than in memory or in a spool. */
  private boolean isFollowing() {
    return files.areGiven() || journal.isGiven();
  }

  private Sending sending(ForwarderOptions options) {
    return new Sending(options, statsFile, drain, quiet);
  }

  private void check() {
    for (String target : targets) {
      if (target.indexOf('/', target.startsWith(TLS) ? TLS.length() : 0) >= 0) {
        throw new CommandException(
            "expected HOST:PORT, found " + target + "; quote patterns: --file '/var/log/*.log'");
      }
    }
    journal.check();
    if (files.areGiven()) {
      streams.checkAbsent("--file");
    } else if (journal.isGiven()) {
      streams.checkAbsent("--journal");
      files.checkNoneOfFiles();
    } else {
      files.checkAbsent();
    }
    if (bulk && durable) {
      throw new CommandException("expected --durable or --bulk, found both");
    }
    if (uploadBytes == null) {
      return;
    }
    if (!bulk) {
      throw new CommandException("--upload-size: expected with --bulk, found without");
    }
    FlagBounds.size(
        "--upload-size", ForwarderOptions.MIN_UPLOAD_BYTES, MAX_UPLOAD_BYTES, uploadBytes);
  }

  private ForwarderOptions options(String name) {
    ForwarderOptions.Builder options =
        bulk
            ? uploads()
            : ForwarderOptions.builder().windowBytes(isFollowing() ? FILES_WINDOW : WINDOW);
    int defaultPort = bulk ? BULK_PORT : durable ? DURABLE_PORT : FAST_PORT;
    try {
      targets.forEach(target -> options.target(Target.parse(target, defaultPort)));
      credentials.token().ifPresent(options::token);
      credentials.tokenFile().map(Path::toString).ifPresent(options::tokenFile);
      credentials.authorities().ifPresent(options::tlsAuthorities);
      SpoolOptions spool = streams.spool();
      if (spool != null) {
        options.spool(spool);
      }
      return options.topic(name).labels(labels()).balance(!noBalance).build();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private Labels labels() {
    SortedMap<String, String> pairs = labels.pairs();
    if (!noHost) {
      HostName.find().ifPresent(name -> pairs.putIfAbsent(HostName.LABEL, name));
    }
    return Labels.of(pairs);
  }

  private ForwarderOptions.Builder uploads() {
    int bytes = uploadBytes == null ? DEFAULT_UPLOAD_BYTES : (int) (long) uploadBytes;
    return ForwarderOptions.builder()
        .windowBytes(2 * bytes)
        .uploadBytes(bytes)
        .linger(UPLOAD_LINGER)
        .ackTimeout(UPLOAD_ACK_TIMEOUT);
  }
}
