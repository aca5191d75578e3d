package io.cordwood.common.access;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All tokens of a file. Immutable. */
public final class TokenList {
  static final TokenList EMPTY = new TokenList(List.of());

  private final List<Token> tokens;
  private final Map<Long, Known> byStart = new HashMap<>();

  private record Known(byte[] hash, Token token) {}

  /**
   * @throws IllegalArgumentException if two have one name, or one hash
   */
  public TokenList(List<Token> tokens) {
    this.tokens = List.copyOf(tokens);
    Set<String> names = new HashSet<>();
    for (Token token : tokens) {
      if (!names.add(token.name())) {
        throw new IllegalArgumentException(
            "expected each name once, found " + token.name() + " twice");
      }
      byte[] hash = token.hashBytes();
      if (byStart.put(start(hash), new Known(hash, token)) != null) {
        throw new IllegalArgumentException(
            "expected each hash once, found that of " + token.name() + " twice");
      }
    }
  }

  public List<Token> tokens() {
    return tokens;
  }

  /**
   * The token with a text. The text's hash is looked up by its beginning, which tells nobody
   * anything: nobody can choose it. The whole of it is compared in constant time all the same.
   */
  Optional<Token> find(String text) {
    byte[] hash = TokenText.hash(text);
    Known known = byStart.get(start(hash));
    return known != null && MessageDigest.isEqual(known.hash, hash)
        ? Optional.of(known.token)
        : Optional.empty();
  }

  private static long start(byte[] hash) {
    return ByteBuffer.wrap(hash).getLong();
  }
}
