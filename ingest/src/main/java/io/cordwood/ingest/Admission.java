package io.cordwood.ingest;

import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.run.RateLimit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may send records to a node, and how much: everybody, or holders of tokens. Safe for
 * all threads.
 */
public final class Admission {
  /** Asks nobody for a token. */
  public static final Admission OPEN = new Admission(null, null, true);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final @Nullable Tokens tokens;
  private final @Nullable Refusals refusals;
  private final boolean withoutToken;
  private final Duration patience;
  private final Map<String, Rate> rates = new ConcurrentHashMap<>();

  /** The rate shared by all senders with one token. */
  private record Rate(long bytesPerSecond, RateLimit limit) {}

  /**
   * @param withoutToken whether senders without one are let in, too
   */
  public Admission(@Nullable Tokens tokens, @Nullable Refusals refusals, boolean withoutToken) {
    this(tokens, refusals, withoutToken, PATIENCE);
  }

  /**
   * The same.
   *
   * @param patience after which a connection that has to show a token and has not is closed
   */
  public Admission(
      @Nullable Tokens tokens,
      @Nullable Refusals refusals,
      boolean withoutToken,
      Duration patience) {
    this.patience = patience;
    this.tokens = tokens;
    this.refusals = refusals;
    this.withoutToken = withoutToken;
  }

  /** Whether nobody is let in who has shown no token. */
  public boolean isClosed() {
    return tokens != null && !withoutToken;
  }

  /** How long a connection may take to show a token. */
  public Duration patience() {
    return patience;
  }

  /** Whether a token that is shown is looked at. */
  public boolean asks() {
    return tokens != null;
  }

  @Nullable Tokens tokens() {
    return tokens;
  }

  @Nullable Refusals refusals() {
    return refusals;
  }

  RateLimit rate(Token token) {
    return rates
        .compute(
            token.name(),
            (_, before) ->
                before != null && before.bytesPerSecond == token.ingestBytesPerSecond()
                    ? before
                    : new Rate(
                        token.ingestBytesPerSecond(),
                        new RateLimit(token.ingestBytesPerSecond(), System::nanoTime)))
        .limit();
  }
}
