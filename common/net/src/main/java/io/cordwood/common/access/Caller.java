package io.cordwood.common.access;

import io.cordwood.common.wire.Labels;
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

  /** The labels that a batch must have for the caller to know of it, or to send it. */
  public Labels labels() {
    return token.map(Token::labels).orElse(Labels.NONE);
  }

  /** The name in logs and metrics. */
  public String name() {
    return token.map(Token::name).orElse("-");
  }
}
