package io.cordwood.dist.forward;

import io.cordwood.dist.program.ClientToken;
import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.program.Values;
import io.cordwood.forwarder.ForwardStream;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code cordwood forward}: standard input, or files, to any of several ingest nodes.
 *
 * <pre>
 *   standard input ──► ForwardStream ──► Forwarder [window] ──► ingest node
 *                                            ▲                      │
 *                                            └── acknowledgements ──┘
 * </pre>
 *
 * Reading stops while the window is full, so that a node which is away for long slows the writer
 * instead of losing its lines.
 */
@Command(
    description = {
      "Send the lines of standard input, or of files, to ingest nodes.",
      "Lines that are not acknowledged when a connection is lost are sent again, with the same "
          + "identity, to the same node or another one: nothing is lost and nothing is there "
          + "twice. While no node can be reached, reading stops.",
      "",
      "With --bulk they are collected, for a second at most, into uploads, and each is sent again "
          + "until it is on as many stores as --replication-factor says.",
    },
    footer = {
      "",
      "Exit code 0 when every line was acknowledged; 2 when not.",
      "",
      "  cordwood forward --durable --file '/var/log/app/*.log' --topic '{name}' node1 node2",
      "  tail -F app.log | cordwood forward --topic app node1 node2:7651",
      "  tail -F app.log | cordwood forward --durable node1 node2",
      "  cordwood forward --bulk --topic app node1 node2 < app.log"
    })
public final class ForwardCommand implements Callable<Integer> {
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
  private @Nullable String topic;

  @Mixin private FollowFlags files = new FollowFlags();

  @Option(
      names = "--durable",
      description =
          "Where no port is given, use the durable one: lines are kept, and sent again if need be, "
              + "until they are forced to a node's disk.")
  private boolean durable;

  @Option(
      names = "--bulk",
      description =
          "Send to bulk ports: lines are kept, and sent again if need be, until they are on the "
              + "disks of as many stores as --replication-factor says.")
  private boolean bulk;

  @Option(
      names = "--upload-size",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "With --bulk: most bytes of an upload, 2MiB to 32MiB; twice as much memory is taken. "
              + "Default: 16MiB.")
  private @Nullable Long uploadBytes;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "For targets with tls://: the authorities that sign the nodes' certificates, in PEM. "
              + "Default: those that the JVM trusts.")
  private @Nullable Path authorities;

  @Option(
      names = "--drain",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long to wait for acknowledgements when the input has ended, such as 30s. "
              + "Default: until they are there.")
  private Duration drain = FOREVER;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File that holds a token, for nodes that ask for one. Default: the token in the variable "
              + "CORDWOOD_TOKEN, if it is set.")
  private @Nullable Path tokenFile;

  @Option(
      names = {"-q", "--quiet"},
      description = "No lines on standard error but errors.")
  private boolean quiet;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("forward", new ForwardCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    check();
    if (files.areGiven()) {
      return follow();
    }
    long start = System.nanoTime();
    Forwarder forwarder =
        Forwarder.start(options(topic == null ? DEFAULT_TOPIC : topic), new ForwardLog(quiet));
    Thread farewell = farewell(forwarder, start);
    boolean all = pump(forwarder);
    if (!isCalledOff(farewell)) {
      return Programs.ERROR;
    }
    report(forwarder.counters(), start);
    return all ? Programs.SUCCESS : Programs.ERROR;
  }

  /** False when a signal ends the process already, and says the figures. */
  private static boolean isCalledOff(Thread farewell) {
    try {
      return Runtime.getRuntime().removeShutdownHook(farewell);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private int follow() throws IOException {
    try {
      String name = topic == null ? DEFAULT_TOPIC : topic;
      ForwarderOptions options = options(DEFAULT_TOPIC);
      int mostHeld = options.windowBytes() - PLANNED_BYTES;
      return new FollowRun(
              files.options(name, topic != null, mostHeld),
              options,
              files.statsFile(),
              drain,
              quiet)
          .run();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private void check() {
    for (String target : targets) {
      if (target.indexOf('/', target.startsWith(TLS) ? TLS.length() : 0) >= 0) {
        throw new CommandException(
            "expected HOST:PORT, found " + target + "; quote patterns: --file '/var/log/*.log'");
      }
    }
    if (!files.areGiven()) {
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
      ClientToken.of(tokenFile, System.getenv()).ifPresent(options::token);
      if (authorities != null) {
        options.tlsAuthorities(authorities);
      }
      return options.topic(name).build();
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

  /** Whether all of standard input was acknowledged. */
  private boolean pump(Forwarder forwarder) throws IOException {
    boolean taken = new ForwardStream(new FileInputStream(FileDescriptor.in), forwarder).run();
    return forwarder.close(drain).isNothing() && taken;
  }

  /** Tells the figures also when a signal ends the process. */
  private Thread farewell(Forwarder forwarder, long start) {
    Thread farewell =
        new Thread(
            () -> {
              forwarder.close(Duration.ofSeconds(1));
              report(forwarder.counters(), start);
            },
            "farewell");
    Runtime.getRuntime().addShutdownHook(farewell);
    return farewell;
  }

  private void report(ForwarderCounters counters, long start) {
    long lost = counters.droppedRecords();
    if (lost > 0) {
      System.err.println(
          "cordwood forward: " + lost + " lines were not acknowledged; they may be lost");
    }
    if (!quiet) {
      System.err.printf(
          "cordwood forward: %d lines acknowledged in %.1f s; %d sent again, %d cut, %d blank ones"
              + " left out, %d connections%n",
          counters.acknowledged(),
          (System.nanoTime() - start) / 1e9,
          counters.resentRecords(),
          counters.cuts(),
          counters.blankLines(),
          counters.connects());
    }
  }
}
