package io.cordwood.common.access;

import io.cordwood.common.access.DeniedException.Reason;
import io.cordwood.common.file.WatchedFiles;
import io.cordwood.common.run.PeriodicTask;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that a node knows now: those of a file, which is read again when it changes. A file
 * that cannot be read, or is none, changes nothing: the tokens before it go on until it is read;
 * the log says why, once a minute, and {@code cordwood_tokens_reload_failures_total} counts it.
 * Safe for all threads.
 */
public final class Tokens implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Path file;
  private final InstantSource clock;
  private final Counter failures;
  private final WatchedFiles watched;
  private final PeriodicTask task;
  private volatile TokenList list;

  private Tokens(Path file, InstantSource clock, MeterRegistry registry) throws IOException {
    this.file = file;
    this.clock = clock;
    this.failures = registry.counter("cordwood_tokens_reload_failures_total");
    this.watched = new WatchedFiles(file);
    this.list = TokenFile.read(file);
    registry.gauge("cordwood_tokens", this, tokens -> tokens.list.tokens().size());
    this.task = PeriodicTask.start("tokens", LOOK, registry, this::look);
  }

  /**
   * Reads a file, and looks every second whether it has changed.
   *
   * @throws IOException if it cannot be read, or is no file of tokens
   */
  public static Tokens of(Path file, InstantSource clock, MeterRegistry registry)
      throws IOException {
    var tokens = new Tokens(file, clock, registry);
    LOG.info("{} tokens of {}", tokens.list.tokens().size(), file);
    return tokens;
  }

  private void look() {
    watched.look(() -> TokenFile.read(file), this::take, this::failed);
  }

  private void take(TokenList changed) {
    list = changed;
    LOG.info("{} has changed: {} tokens", file, changed.tokens().size());
  }

  private void failed(String why) {
    failures.increment();
    LOG.error("the tokens before it go on: {}", why);
  }

  /**
   * Lets in whoever has a token for something.
   *
   * @throws DeniedException if it is none, or not for that
   */
  public Caller admit(String text, Scope scope) throws DeniedException {
    Token token = known(text);
    if (!token.scopes().contains(scope)) {
      throw new DeniedException(
          Reason.SCOPE,
          "expected a token with the scope %s, found the token %s without"
              .formatted(scope.label(), token.name()));
    }
    return new Caller(Optional.of(token));
  }

  /**
   * A token that is valid, whatever it is for.
   *
   * @throws DeniedException if it is not
   */
  public Token known(String text) throws DeniedException {
    if (!TokenText.isWellFormed(text)) {
      throw new DeniedException(
          Reason.MALFORMED, "expected a token such as cw_ and 43 characters, found another text");
    }
    Token token =
        list.find(text)
            .orElseThrow(() ->
                new DeniedException(Reason.UNKNOWN, "expected a token, found one not known here"));
    if (token.isExpired(clock.instant())) {
      throw new DeniedException(
          Reason.EXPIRED,
          "expected a token, found %s, which has expired at %s"
              .formatted(token.name(), token.expires().orElseThrow()));
    }
    return token;
  }

  /** Is another object after each change of the file. */
  public Object version() {
    return list;
  }

  public boolean isExpired(Token token) {
    return token.isExpired(clock.instant());
  }

  /** Looks no more whether the file changes. */
  @Override
  public void close() {
    task.close();
  }
}
