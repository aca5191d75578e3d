package io.cordwood.common.access;

import java.util.Optional;

/**
 * Somebody who was let in.
 *
 * @param token empty if no token was needed: of a node, or while tokens are off
 */
public record Caller(Optional<Token> token) {
  /** May do everything. */
  public static final Caller TRUSTED = new Caller(Optional.empty());

  /** The topics that the caller may know of. */
  public TopicPatterns topics() {
    return token.map(Token::topics).orElse(TopicPatterns.ALL);
  }

  /** The name in logs and metrics. */
  public String name() {
    return token.map(Token::name).orElse("-");
  }
}
