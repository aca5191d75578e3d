package io.cordwood.agent;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.QuickCommand;
import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import io.cordwood.cli.program.SenderCredentials;
import io.cordwood.cli.program.Values;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.SpoolOptions;
import io.cordwood.forwarder.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
@Command(
    description = {
      "Send the lines of standard input, of files, of a command or of other programs to ingest "
          + "nodes.",
      "Lines that are not acknowledged when a connection is lost are sent again, with the same "
          + "identity, to the same node or another one: nothing is lost and nothing is there "
          + "twice. While no node can be reached, reading stops. When all refuse for good, such as "
          + "for a wrong token, it ends.",
      "",
      "With --bulk they are collected, for a second at most, into uploads, and each is sent again "
          + "until it is on as many stores as --replication-factor says.",
    },
    footer = {
      "",
      "Exit code 0 when every line was acknowledged, or is in the spool; 2 when not, or when "
          + "something in the spool is damaged.",
      "",
      "  cordwood forward --durable --file '/var/log/app/*.log' --topic '{name}' node1 node2",
      "  tail -F app.log | cordwood forward --topic app node1 node2:7651",
      "  tail -F app.log | cordwood forward --durable node1 node2",
      "  cordwood forward --bulk --topic app node1 node2 < app.log"
    })
public final class ForwardCommand implements QuickCommand {
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

  @Parameters(
      arity = "1..*",
      paramLabel = "HOST:PORT",
      description =
          "Fast, durable or bulk ports of ingest nodes, tried in random order. Default port: 7651, "
              + "with --durable 7652, with --bulk 7653. tls:// before it: with TLS.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description =
          "Topic of all lines. With --file, {name} in it is the file's name without its ending, "
              + "{file} the whole name, {folder} that of its folder. Default: default.")
  @Nullable String topic;

  @Mixin FollowFlags files = new FollowFlags();

  @Mixin StreamFlags streams = new StreamFlags();

  @Option(
      names = "--durable",
      description =
          "Where no port is given, use the durable one: lines are kept, and sent again if need be, "
              + "until they are forced to a node's disk.")
  boolean durable;

  @Option(
      names = "--bulk",
      description =
          "Send to bulk ports: lines are kept, and sent again if need be, until they are on the "
              + "disks of as many stores as --replication-factor says.")
  boolean bulk;

  @Option(
      names = "--upload-size",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "With --bulk: most bytes of an upload, 2MiB to 32MiB; twice as much memory is taken. "
              + "Default: 16MiB.")
  @Nullable Long uploadBytes;

  @Mixin SenderCredentials credentials = new SenderCredentials();

  @Option(
      names = "--drain",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long to wait for acknowledgements when the input has ended, such as 30s. "
              + "Default: until they are there.")
  Duration drain = FOREVER;

  @Option(
      names = "--stats-file",
      paramLabel = "FILE",
      description = "Write figures as JSON to this file, each second.")
  @Nullable Path statsFile;

  @Option(
      names = "--no-balance",
      description =
          "Stay with the targets: do not ask nodes for the others and their load, and do not go to "
              + "a less loaded one.")
  boolean noBalance;

  @Option(
      names = {"-q", "--quiet"},
      description = "No lines on standard error but errors.")
  boolean quiet;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.main("forward", ForwardCommand::new, args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickForwardCommand(this);
  }

  @Override
  public Set<String> flagsOfEnvironment() {
    return Set.of("--token-file");
  }

  @Override
  public boolean takeArguments(List<String> arguments) {
    targets.addAll(arguments);
    return !arguments.isEmpty();
  }

  @Override
  public Integer call() throws Exception {
    check();
    if (files.areGiven()) {
      return follow();
    }
    streams.check(bulk);
    ForwarderOptions options = options(topic == null ? DEFAULT_TOPIC : topic);
    return new StreamRun(streams.input(quiet), sending(options)).run();
  }

  private int follow() throws IOException {
    try {
      String name = topic == null ? DEFAULT_TOPIC : topic;
      ForwarderOptions options = options(DEFAULT_TOPIC);
      int mostHeld = options.windowBytes() - PLANNED_BYTES;
      return new FollowRun(files.options(name, topic != null, mostHeld), sending(options)).run();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
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
    if (files.areGiven()) {
      streams.checkAbsent();
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
    if (uploadBytes < ForwarderOptions.MIN_UPLOAD_BYTES || uploadBytes > MAX_UPLOAD_BYTES) {
      throw new CommandException("--upload-size: expected 2MiB to 32MiB, found " + uploadBytes);
    }
  }

  private ForwarderOptions options(String name) {
    ForwarderOptions.Builder options =
        bulk
            ? uploads()
            : ForwarderOptions.builder().windowBytes(files.areGiven() ? FILES_WINDOW : WINDOW);
    int defaultPort = bulk ? BULK_PORT : durable ? DURABLE_PORT : FAST_PORT;
    try {
      targets.forEach(target -> options.target(Target.parse(target, defaultPort)));
      credentials.token().ifPresent(options::token);
      credentials.authorities().ifPresent(options::tlsAuthorities);
      SpoolOptions spool = streams.spool();
      if (spool != null) {
        options.spool(spool);
      }
      return options.topic(name).balance(!noBalance).build();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
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
