package io.cordwood.forwarder;

import static io.cordwood.forwarder.AppenderSetting.ACK_TIMEOUT;
import static io.cordwood.forwarder.AppenderSetting.BALANCE;
import static io.cordwood.forwarder.AppenderSetting.CONNECT_TIMEOUT;
import static io.cordwood.forwarder.AppenderSetting.LABELS;
import static io.cordwood.forwarder.AppenderSetting.LINGER;
import static io.cordwood.forwarder.AppenderSetting.MAX_CONNECTION_AGE;
import static io.cordwood.forwarder.AppenderSetting.MEMORY;
import static io.cordwood.forwarder.AppenderSetting.MODE;
import static io.cordwood.forwarder.AppenderSetting.SPOOL_DIR;
import static io.cordwood.forwarder.AppenderSetting.SPOOL_SIZE;
import static io.cordwood.forwarder.AppenderSetting.STOP_TIMEOUT;
import static io.cordwood.forwarder.AppenderSetting.TARGETS;
import static io.cordwood.forwarder.AppenderSetting.TLS_CA;
import static io.cordwood.forwarder.AppenderSetting.TOKEN;
import static io.cordwood.forwarder.AppenderSetting.TOKEN_FILE;
import static io.cordwood.forwarder.AppenderSetting.TOPIC;
import static io.cordwood.forwarder.AppenderSetting.WHEN_FULL;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an appender as its configuration has them; what is not set has its default.
 * Nothing is checked before {@link #options} and {@link #stopTimeout} are called. Not for use by
 * several threads.
 */
public final class AppenderSettings {
  private static final int DURABLE_PORT = 7652;
  private static final int FAST_PORT = 7651;
  private static final Duration MAX_STOP = Duration.ofHours(1);

  private final Map<AppenderSetting, String> values = new EnumMap<>(AppenderSetting.class);

  /**
   * Sets one.
   *
   * @param value null for its default
   */
  public void set(AppenderSetting setting, @Nullable String value) {
    if (value == null) {
      values.remove(setting);
    } else {
      values.put(setting, value);
    }
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
    ifSet(TLS_CA, text -> options.tlsAuthorities(Path.of(text)));
    ifSet(TOPIC, options::topic);
    ifSet(MEMORY, text -> options.windowBytes(memory(text)));
    ifSet(LINGER, text -> options.linger(atMostADay(LINGER, text)));
    ifSet(CONNECT_TIMEOUT, text -> options.connectTimeout(atLeastOne(CONNECT_TIMEOUT, text)));
    ifSet(ACK_TIMEOUT, text -> options.ackTimeout(atLeastOne(ACK_TIMEOUT, text)));
    ifSet(
        MAX_CONNECTION_AGE, text -> options.maxConnectionAge(atMostADay(MAX_CONNECTION_AGE, text)));
    SpoolOptions spool = spool();
    if (spool != null) {
      options.spool(spool);
    }
    options.labels(AppenderLabels.of(values.get(LABELS)));
    options.token(token()).tokenFile(values.get(TOKEN_FILE));
    return options.balance(balance()).build();
  }

  private void ifSet(AppenderSetting setting, Consumer<String> option) {
    String value = values.get(setting);
    if (value != null) {
      option.accept(value);
    }
  }

  private static Duration duration(AppenderSetting setting, String text) {
    return ConfigQuantity.duration(setting.camelCase(), text);
  }

  private static Duration atMostADay(AppenderSetting setting, String text) {
    Duration duration = duration(setting, text);
    check(duration.compareTo(ForwarderOptions.MAX_DURATION) <= 0, setting, "0s..1d", text);
    return duration;
  }

  /** Not nought, which would wait for nothing. */
  private static Duration atLeastOne(AppenderSetting setting, String text) {
    check(!duration(setting, text).isZero(), setting, "1ms..1d", text);
    return atMostADay(setting, text);
  }

  private static long size(AppenderSetting setting, String text) {
    return ConfigQuantity.size(setting.camelCase(), text);
  }

  private int memory(String text) {
    boolean spools = values.containsKey(SPOOL_DIR);
    int least =
        spools ? ForwarderOptions.MIN_WINDOW_WITH_SPOOL_BYTES : ForwarderOptions.MIN_WINDOW_BYTES;
    long bytes = size(MEMORY, text);
    check(
        bytes >= least && bytes <= ForwarderOptions.MAX_WINDOW_BYTES,
        MEMORY,
        (least >> 20) + "MiB..1GiB" + (spools ? " with spoolDir" : ""),
        text);
    return (int) bytes;
  }

  private static void check(boolean within, AppenderSetting setting, String bounds, String text) {
    if (!within) {
      throw new IllegalArgumentException(
          "expected " + setting.camelCase() + " of " + bounds + ", found \"" + text + "\"");
    }
  }

  private boolean balance() {
    String balance = values.getOrDefault(BALANCE, "true");
    if (balance.equals("true") || balance.equals("false")) {
      return balance.equals("true");
    }
    throw new IllegalArgumentException("expected balance true or false, found \"" + balance + "\"");
  }

  private @Nullable SpoolOptions spool() {
    String folder = values.get(SPOOL_DIR);
    String most = values.get(SPOOL_SIZE);
    if (folder == null) {
      if (most != null) {
        throw new IllegalArgumentException("expected spoolSize with spoolDir, found it without");
      }
      return null;
    }
    long bytes = most == null ? SpoolOptions.DEFAULT_BYTES : size(SPOOL_SIZE, most);
    return new SpoolOptions(Path.of(folder), bytes);
  }

  private String token() {
    String token = values.get(TOKEN);
    String file = values.get(TOKEN_FILE);
    if (token != null && file != null) {
      throw new IllegalArgumentException("expected token or tokenFile, found both");
    }
    return file != null ? TokenFiles.read(file) : token == null ? "" : token.strip();
  }

  /**
   * For how long stopping waits.
   *
   * @throws IllegalArgumentException when it is no time of at most an hour
   */
  public Duration stopTimeout() {
    String text = values.get(STOP_TIMEOUT);
    if (text == null) {
      return Forwarder.CLOSE_TIMEOUT;
    }
    Duration timeout = duration(STOP_TIMEOUT, text);
    check(timeout.compareTo(MAX_STOP) <= 0, STOP_TIMEOUT, "0s..1h", text);
    return timeout;
  }

  private List<String> hosts() {
    String targets = values.getOrDefault(TARGETS, "");
    if (targets.isBlank()) {
      throw new IllegalArgumentException("expected targets such as \"log1,log2:7652\", found none");
    }
    return Arrays.stream(targets.split(",", -1)).map(String::strip).toList();
  }

  private int port() {
    String mode = values.getOrDefault(MODE, "durable");
    return switch (mode) {
      case "durable" -> DURABLE_PORT;
      case "fast" -> FAST_PORT;
      default ->
          throw new IllegalArgumentException(
              "expected mode durable or fast, found \"" + mode + "\"");
    };
  }

  private WhenFull whenFull() {
    String found = values.getOrDefault(WHEN_FULL, name(WhenFull.DROP_NEWEST));
    return Arrays.stream(WhenFull.values())
        .filter(policy -> name(policy).equals(found))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "expected whenFull one of " + policies() + ", found \"" + found + "\""));
  }

  private static String policies() {
    return Arrays.stream(WhenFull.values())
        .map(AppenderSettings::name)
        .collect(Collectors.joining(", "));
  }

  private static String name(WhenFull policy) {
    return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
