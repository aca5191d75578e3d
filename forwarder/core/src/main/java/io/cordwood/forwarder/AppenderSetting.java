package io.cordwood.forwarder;

import java.util.Locale;
import java.util.regex.Pattern;

/** The settings of appenders, which are the same for every logging framework. */
public enum AppenderSetting {
  /**
   * Ingest nodes, {@code host} or {@code host:port}, or {@code tls://host:port}, with commas
   * between them. Needed.
   */
  TARGETS,
  TOPIC,
  /** Labels of all records: {@code env=prod,team=shop}. */
  LABELS,
  /** {@code durable} or {@code fast}: the usual port of which is meant where a target has none. */
  MODE,
  /** The memory for records that no node has acknowledged yet: {@code 16MiB}. */
  MEMORY,
  /** {@code drop-newest}, {@code drop-oldest} or {@code block}. */
  WHEN_FULL,
  LINGER,
  /** File in PEM with the authorities that targets with {@code tls://} are trusted by. */
  TLS_CA,
  CONNECT_TIMEOUT,
  ACK_TIMEOUT,
  /** {@code 0s}: connections are not left for their age. */
  MAX_CONNECTION_AGE,
  /** {@code true} or {@code false}: whether nodes may send the appender on to others. */
  BALANCE,
  /** The token that {@code cordwood token add} printed, for nodes that ask for one. */
  TOKEN,
  /** A file that holds it, instead. */
  TOKEN_FILE,
  /** A folder of this appender's own, for records that memory has no room for. */
  SPOOL_DIR,
  /** The most bytes of the files in it: {@code 1GiB}. */
  SPOOL_SIZE,
  /** For how long stopping waits for acknowledgements. */
  STOP_TIMEOUT;

  private static final Pattern HYPHEN = Pattern.compile("-(.)");

  /** As configurations of logging frameworks have it: {@code stopTimeout}. */
  public String camelCase() {
    return HYPHEN
        .matcher(kebabCase())
        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
  }

  /** As properties of applications have it: {@code stop-timeout}. */
  public String kebabCase() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
