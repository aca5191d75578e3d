package io.cordwood.common.access;

import io.cordwood.common.wire.Labels;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A token, without its text. Immutable.
 *
 * @param name for people: in the audit log, in metrics, in refusals
 * @param hash as {@link TokenText#hash}, in hex
 * @param labels that a batch must have, beside others
 * @param expires the first moment in which it is not valid any more; empty if it always is
 * @param ingestBytesPerSecond most bytes that its senders are read, on each node
 * @param queries most queries and streams at once, on each node
 */
public record Token(
    String name,
    String hash,
    Set<Scope> scopes,
    TopicPatterns topics,
    Labels labels,
    Optional<Instant> expires,
    long ingestBytesPerSecond,
    int queries) {
  /** No bound on the bytes of senders. */
  public static final long NO_RATE = Long.MAX_VALUE;

  /** No bound on queries but the node's own. */
  public static final int NO_QUERIES_BOUND = Integer.MAX_VALUE;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** One for batches of any labels. */
  public Token(
      String name,
      String hash,
      Set<Scope> scopes,
      TopicPatterns topics,
      Optional<Instant> expires,
      long ingestBytesPerSecond,
      int queries) {
    this(name, hash, scopes, topics, Labels.NONE, expires, ingestBytesPerSecond, queries);
  }

  /**
   * One that is always valid, for batches of any labels, without a rate or a bound on queries.
   *
   * @param text of the token itself
   */
  public static Token of(String name, String text, Set<Scope> scopes, TopicPatterns topics) {
    return new Token(
        name,
        HexFormat.of().formatHex(TokenText.hash(text)),
        scopes,
        topics,
        Optional.empty(),
        NO_RATE,
        NO_QUERIES_BOUND);
  }

  /** A copy for batches that have these labels, beside others. */
  public Token withLabels(Labels all) {
    return new Token(name, hash, scopes, topics, all, expires, ingestBytesPerSecond, queries);
  }

  /** Whether batches with these labels are some of those that it is for. */
  public boolean admits(Labels ofBatch) {
    return ofBatch.pairs().entrySet().containsAll(labels.pairs().entrySet());
  }

  /**
   * @throws IllegalArgumentException if a part is not as it must be; the message never has the hash
   */
  public Token {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "expected a name of 1 to 64 characters of A-Z a-z 0-9 . _ - that begins with a letter"
              + " or a digit, found another");
    }
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException(
          "expected a hash of 64 hex digits in small letters, found another");
    }
    if (scopes.isEmpty()) {
      throw new IllegalArgumentException("expected at least one scope, found none");
    }
    if (ingestBytesPerSecond < 1 || queries < 1) {
      throw new IllegalArgumentException("expected quotas of at least 1, found less");
    }
    scopes = Set.copyOf(EnumSet.copyOf(scopes));
  }

  byte[] hashBytes() {
    return HexFormat.of().parseHex(hash);
  }

  public boolean isExpired(Instant now) {
    return expires.isPresent() && !now.isBefore(expires.get());
  }
}
