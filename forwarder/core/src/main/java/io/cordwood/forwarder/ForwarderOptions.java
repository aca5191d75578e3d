package io.cordwood.forwarder;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.common.wire.TopicName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Forwarder} behaves. Values are checked when a record of them is made.
 *
 * @param to where records go
 * @param records what they have in common
 * @param memory what is done with them until they are acknowledged
 * @param times for how long what is done or waited for
 */
public record ForwarderOptions(To to, Records records, Memory memory, Times times) {

  /** Enough for a batch of the longest record. */
  public static final int MIN_WINDOW_BYTES = 1 << 21;

  /** A share of it is for what comes from the spool. */
  public static final int MIN_WINDOW_WITH_SPOOL_BYTES = 1 << 23;

  public static final int MAX_WINDOW_BYTES = 1 << 30;
  public static final int MIN_BATCH_BYTES = 1 << 12;
  public static final int MAX_BATCH_BYTES = 1 << 20;

  /** More than the longest batch. */
  public static final int MIN_UPLOAD_BYTES = 1 << 21;

  private static final Pattern TOKEN = Pattern.compile("(cw_[A-Za-z0-9_-]{43})?");
  static final Duration MAX_DURATION = Duration.ofDays(1);

  /**
   * The nodes, and what is shown to them.
   *
   * @param targets ingest nodes, at least one; tried in an order shuffled once for each forwarder
   * @param tls for targets with TLS, asked at each connection; null, the default, for what the JVM
   *     trusts
   * @param token shown to nodes at the beginning of each connection, {@code cw_} and 43 characters
   *     of {@code A-Z a-z 0-9 - _}; empty, the default, for none
   * @param tokenFile holds the token, and is read again for each connection, since it may be
   *     replaced; null, the default, if the token stays as it is
   * @param balance whether the forwarder asks nodes for the others and their load, goes to a less
   *     loaded one when its node says so, and tries those that it was told of when no target can be
   *     reached; with TLS if its target has it. Default true; without effect on bulk ports
   */
  public record To(
      List<Target> targets,
      @Nullable Supplier<SSLContext> tls,
      String token,
      @Nullable String tokenFile,
      boolean balance) {

    public To {
      targets = List.copyOf(targets);
      if (targets.isEmpty()) {
        throw new IllegalArgumentException("expected at least one target, found none");
      }
      if (!TOKEN.matcher(token).matches()) { // Not shown, since it may be one with a slip.
        throw new IllegalArgumentException(
            "expected a token such as cw_ and 43 characters, found another text");
      }
    }

    /** The token of now: that of the file, as long as it holds one. */
    String currentToken() {
      if (tokenFile == null) {
        return token;
      }
      try {
        String found = TokenFiles.read(tokenFile);
        return TOKEN.matcher(found).matches() ? found : token;
      } catch (IllegalArgumentException e) {
        return token; // A node that takes it no more says so.
      }
    }

    /** All but the token. */
    @Override
    public String toString() {
      return "To[targets=" + targets + "]";
    }
  }

  /**
   * Properties of all records.
   *
   * @param topic of all records: 1..128 ASCII characters, letters, digits, {@code . _ -}, the first
   *     a letter or digit. Default {@code default}
   * @param labels of all records: what is known of where they come from. None by default
   * @param keepTimes whether batches that are stamped already keep a time of the past, however far;
   *     else a node stamps those anew that are more than a day off. Default false
   */
  public record Records(String topic, Labels labels, boolean keepTimes) {
    public Records {
      if (!TopicName.isValid(topic)) {
        throw new IllegalArgumentException(
            "expected a topic like " + TopicName.PATTERN + ", found " + topic);
      }
    }

    Origin origin() {
      return new Origin(topic, labels);
    }
  }

  /**
   * Records that are not acknowledged yet, in memory and in the spool.
   *
   * @param windowBytes memory for what is queued or not acknowledged, 2 MiB..1 GiB. Default 16 MiB
   * @param batchBytes payload at which a batch is full, 4 KiB..1 MiB; a single record may be
   *     longer. Default 320 KiB
   * @param uploadBytes for bulk ports: records are collected until there are that many bytes of
   *     them, or for the linger, and sent as one upload over a connection of its own, of at most
   *     that many bytes, 2 MiB to half of the window; nought, the default, for the other ports
   * @param whenFull Default {@link WhenFull#BLOCK}
   * @param reportDrops whether drops are told by a record of the forwarder's own, {@code dropped 12
   *     records (newest when full)}, as soon as a node takes records again, at most one a second
   *     for each reason. Default false
   * @param spool for records that memory has no room for, and those that are held when the
   *     forwarder ends; it takes a window of 8 MiB at least, and cannot be had with uploads. Null,
   *     the default, for none
   */
  public record Memory(
      int windowBytes,
      int batchBytes,
      int uploadBytes,
      WhenFull whenFull,
      boolean reportDrops,
      @Nullable SpoolOptions spool) {

    public Memory {
      within("windowBytes", windowBytes, MIN_WINDOW_BYTES, MAX_WINDOW_BYTES);
      within("batchBytes", batchBytes, MIN_BATCH_BYTES, MAX_BATCH_BYTES);
      if (uploadBytes != 0) {
        within("uploadBytes", uploadBytes, MIN_UPLOAD_BYTES, windowBytes / 2);
      }
      if (spool != null) {
        within("windowBytes", windowBytes, MIN_WINDOW_WITH_SPOOL_BYTES, MAX_WINDOW_BYTES);
        within("uploadBytes", uploadBytes, 0, 0);
      }
    }
  }

  /**
   * Times of waits, and of connections.
   *
   * @param linger for how long a batch may wait for more records while others are under way; when
   *     none is under way, it goes at once. Default 20 ms
   * @param connectTimeout for each address. Default 5 s
   * @param ackTimeout a peer that acknowledges nothing for so long, though something was sent to
   *     it, is left for another one. Default 10 s
   * @param minBackoff the first pause after all targets failed; it doubles. Default 50 ms
   * @param maxBackoff the longest pause; pauses are shortened by up to a half, at random. Default
   *     10 s
   * @param maxConnectionAge after about so long, a fifth more or less at random, a connection is
   *     left for one to the next target as soon as there is something to send and all before it is
   *     acknowledged; so senders spread over nodes that were added. Nought: never. Default 5 min;
   *     without effect on bulk ports
   */
  public record Times(
      Duration linger,
      Duration connectTimeout,
      Duration ackTimeout,
      Duration minBackoff,
      Duration maxBackoff,
      Duration maxConnectionAge) {

    public Times {
      within("linger", linger, Duration.ZERO, MAX_DURATION);
      within("connectTimeout", connectTimeout, Duration.ofMillis(1), MAX_DURATION);
      within("ackTimeout", ackTimeout, Duration.ofMillis(1), MAX_DURATION);
      within("minBackoff", minBackoff, Duration.ofMillis(1), MAX_DURATION);
      within("maxBackoff", maxBackoff, minBackoff, MAX_DURATION);
      within("maxConnectionAge", maxConnectionAge, Duration.ZERO, MAX_DURATION);
    }
  }

  private static <T extends Comparable<T>> void within(String name, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "expected " + name + " of " + least + ".." + most + ", found " + value);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects options; what is not set has its default. Not for use by several threads. */
  public static final class Builder {
    private final List<Target> targets = new ArrayList<>();
    private @Nullable Supplier<SSLContext> tls;
    private String topic = "default";
    private Labels labels = Labels.NONE;
    private int windowBytes = 16 << 20;
    private int batchBytes = 320 << 10;
    private Duration linger = Duration.ofMillis(20);
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration ackTimeout = Duration.ofSeconds(10);
    private Duration minBackoff = Duration.ofMillis(50);
    private Duration maxBackoff = Duration.ofSeconds(10);
    private Duration maxConnectionAge = Duration.ofMinutes(5);
    private WhenFull whenFull = WhenFull.BLOCK;
    private boolean reportDrops;
    private int uploadBytes;
    private String token = "";
    private @Nullable String tokenFile;
    private boolean keepTimes;
    private @Nullable SpoolOptions spool;
    private boolean balance = true;

    private Builder() {}

    public Builder target(String host, int port) {
      return target(new Target(host, port));
    }

    public Builder target(Target target) {
      targets.add(target);
      return this;
    }

    public Builder topic(String value) {
      topic = value;
      return this;
    }

    public Builder labels(Labels value) {
      labels = value;
      return this;
    }

    public Builder windowBytes(int value) {
      windowBytes = value;
      return this;
    }

    public Builder batchBytes(int value) {
      batchBytes = value;
      return this;
    }

    public Builder linger(Duration value) {
      linger = value;
      return this;
    }

    public Builder connectTimeout(Duration value) {
      connectTimeout = value;
      return this;
    }

    public Builder ackTimeout(Duration value) {
      ackTimeout = value;
      return this;
    }

    public Builder backoff(Duration min, Duration max) {
      minBackoff = min;
      maxBackoff = max;
      return this;
    }

    public Builder whenFull(WhenFull value) {
      whenFull = value;
      return this;
    }

    public Builder maxConnectionAge(Duration value) {
      maxConnectionAge = value;
      return this;
    }

    public Builder reportDrops(boolean value) {
      reportDrops = value;
      return this;
    }

    public Builder uploadBytes(int value) {
      uploadBytes = value;
      return this;
    }

    public Builder token(String value) {
      token = value;
      return this;
    }

    /** The file that {@link #token} was read from. */
    public Builder tokenFile(@Nullable String value) {
      tokenFile = value;
      return this;
    }

    public Builder keepTimes(boolean value) {
      keepTimes = value;
      return this;
    }

    public Builder spool(SpoolOptions value) {
      spool = value;
      return this;
    }

    public Builder balance(boolean value) {
      balance = value;
      return this;
    }

    /** For targets with TLS: another context than the JVM's, such as one with a certificate. */
    public Builder tls(SSLContext value) {
      tls = () -> value;
      return this;
    }

    /**
     * For targets with TLS: trust the authorities of a file in PEM, and no others. It is read again
     * at the next connection after it has changed.
     *
     * @throws IllegalArgumentException naming the file, if it cannot be used now
     */
    public Builder tlsAuthorities(Path file) {
      tls = new TrustFile(file);
      return this;
    }

    public ForwarderOptions build() {
      return new ForwarderOptions(
          new To(targets, tls, token, tokenFile, balance),
          new Records(topic, labels, keepTimes),
          new Memory(windowBytes, batchBytes, uploadBytes, whenFull, reportDrops, spool),
          new Times(linger, connectTimeout, ackTimeout, minBackoff, maxBackoff, maxConnectionAge));
    }
  }
}
