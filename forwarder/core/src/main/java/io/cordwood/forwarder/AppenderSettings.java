package io.cordwood.forwarder;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an appender as its configuration has them, which are the same for every logging
 * framework; what is not set has its default. Nothing is checked before {@link #options} and {@link
 * #stopTimeout} are called. Not for use by several threads.
 */
public final class AppenderSettings {
  private static final int DURABLE_PORT = 7652;
  private static final int FAST_PORT = 7651;
  private static final Duration MAX_STOP = Duration.ofHours(1);

  private @Nullable String targets;
  private @Nullable String tlsCa;
  private @Nullable String topic;
  private @Nullable String labels;
  private @Nullable String mode;
  private @Nullable String memory;
  private @Nullable String whenFull;
  private @Nullable String linger;
  private @Nullable String connectTimeout;
  private @Nullable String ackTimeout;
  private @Nullable String maxConnectionAge;
  private @Nullable String stopTimeout;
  private @Nullable String token;
  private @Nullable String tokenFile;
  private @Nullable String spoolDir;
  private @Nullable String spoolSize;
  private @Nullable String balance;

  /**
   * Ingest nodes, {@code host} or {@code host:port}, or {@code tls://host:port}, with commas
   * between them. Needed.
   */
  public void targets(@Nullable String value) {
    targets = value;
  }

  /** File in PEM with the authorities that targets with {@code tls://} are trusted by. */
  public void tlsCa(@Nullable String value) {
    tlsCa = value;
  }

  public void topic(@Nullable String value) {
    topic = value;
  }

  /** Labels of all records: {@code env=prod,team=shop}. */
  public void labels(@Nullable String value) {
    labels = value;
  }

  /** {@code durable} or {@code fast}: the usual port of which is meant where a target has none. */
  public void mode(@Nullable String value) {
    mode = value;
  }

  /** The memory for records that no node has acknowledged yet: {@code 16MiB}. */
  public void memory(@Nullable String value) {
    memory = value;
  }

  /** {@code drop-newest}, {@code drop-oldest} or {@code block}. */
  public void whenFull(@Nullable String value) {
    whenFull = value;
  }

  public void linger(@Nullable String value) {
    linger = value;
  }

  public void connectTimeout(@Nullable String value) {
    connectTimeout = value;
  }

  public void ackTimeout(@Nullable String value) {
    ackTimeout = value;
  }

  /** {@code 0s}: connections are not left for their age. */
  public void maxConnectionAge(@Nullable String value) {
    maxConnectionAge = value;
  }

  /** The token that {@code cordwood token add} printed, for nodes that ask for one. */
  public void token(@Nullable String value) {
    token = value;
  }

  /** A file that holds it, instead. */
  public void tokenFile(@Nullable String value) {
    tokenFile = value;
  }

  /** A folder of this appender's own, for records that memory has no room for. */
  public void spoolDir(@Nullable String value) {
    spoolDir = value;
  }

  /** The most bytes of the files in it: {@code 1GiB}. */
  public void spoolSize(@Nullable String value) {
    spoolSize = value;
  }

  /** {@code true} or {@code false}: whether nodes may send the appender on to others. */
  public void balance(@Nullable String value) {
    balance = value;
  }

  /** For how long stopping waits for acknowledgements. */
  public void stopTimeout(@Nullable String value) {
    stopTimeout = value;
  }

  /**
   * The options to start a forwarder with.
   *
   * @throws IllegalArgumentException when a setting is wrong: what was expected, what was found
   */
  public ForwarderOptions options() {
    ForwarderOptions.Builder options =
        ForwarderOptions.builder().reportDrops(true).whenFull(whenFull());
    int port = port();
    for (String target : hosts()) {
      options.target(Target.parse(target, port));
    }
    if (tlsCa != null) {
      options.tlsAuthorities(Path.of(tlsCa));
    }
    if (topic != null) {
      options.topic(topic);
    }
    if (memory != null) {
      long bytes = ConfigQuantity.size("memory", memory);
      options.windowBytes((int) Math.min(bytes, Integer.MAX_VALUE)); // which is beyond the bounds
    }
    if (linger != null) {
      options.linger(ConfigQuantity.duration("linger", linger));
    }
    if (connectTimeout != null) {
      options.connectTimeout(ConfigQuantity.duration("connectTimeout", connectTimeout));
    }
    if (ackTimeout != null) {
      options.ackTimeout(ConfigQuantity.duration("ackTimeout", ackTimeout));
    }
    if (maxConnectionAge != null) {
      options.maxConnectionAge(ConfigQuantity.duration("maxConnectionAge", maxConnectionAge));
    }
    SpoolOptions spool = spool();
    if (spool != null) {
      options.spool(spool);
    }
    return options.labels(AppenderLabels.of(labels)).token(token()).balance(balance()).build();
  }

  private boolean balance() {
    if (balance == null || balance.equals("true")) {
      return true;
    }
    if (balance.equals("false")) {
      return false;
    }
    throw new IllegalArgumentException("expected balance true or false, found \"" + balance + "\"");
  }

  private @Nullable SpoolOptions spool() {
    if (spoolDir == null) {
      if (spoolSize != null) {
        throw new IllegalArgumentException("expected spoolSize with spoolDir, found it without");
      }
      return null;
    }
    long bytes =
        spoolSize == null
            ? SpoolOptions.DEFAULT_BYTES
            : ConfigQuantity.size("spoolSize", spoolSize);
    return new SpoolOptions(Path.of(spoolDir), bytes);
  }

  private String token() {
    if (token != null && tokenFile != null) {
      throw new IllegalArgumentException("expected token or tokenFile, found both");
    }
    return tokenFile != null ? TokenFiles.read(tokenFile) : token == null ? "" : token.strip();
  }

  /**
   * For how long stopping waits.
   *
   * @throws IllegalArgumentException when it is no time of at most an hour
   */
  public Duration stopTimeout() {
    if (stopTimeout == null) {
      return Forwarder.CLOSE_TIMEOUT;
    }
    Duration timeout = ConfigQuantity.duration("stopTimeout", stopTimeout);
    if (timeout.compareTo(MAX_STOP) > 0) {
      throw new IllegalArgumentException(
          "expected stopTimeout of 0s..1h, found \"" + stopTimeout + "\"");
    }
    return timeout;
  }

  private List<String> hosts() {
    if (targets == null || targets.isBlank()) {
      throw new IllegalArgumentException("expected targets such as \"log1,log2:7652\", found none");
    }
    return Arrays.stream(targets.split(",", -1)).map(String::strip).toList();
  }

  private int port() {
    if (mode == null || mode.equals("durable")) {
      return DURABLE_PORT;
    }
    if (mode.equals("fast")) {
      return FAST_PORT;
    }
    throw new IllegalArgumentException("expected mode durable or fast, found \"" + mode + "\"");
  }

  private WhenFull whenFull() {
    if (whenFull == null) {
      return WhenFull.DROP_NEWEST;
    }
    for (WhenFull policy : WhenFull.values()) {
      if (name(policy).equals(whenFull)) {
        return policy;
      }
    }
    String names =
        Arrays.stream(WhenFull.values())
            .map(AppenderSettings::name)
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "expected whenFull one of " + names + ", found \"" + whenFull + "\"");
  }

  private static String name(WhenFull policy) {
    return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
