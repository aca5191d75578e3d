package io.cordwood.store.claim;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Claims that nobody has taken yet, of at most one answer a node; they are given out node by node
 * in turn. Guarded by the lock of {@link ClaimPool}.
 */
final class ReadyClaims {
  private final LinkedHashMap<URI, ArrayDeque<Claim>> byNode = new LinkedHashMap<>();

  /** Adds an answer of a node, not empty. */
  void add(URI node, List<Claim> answer) {
    byNode.computeIfAbsent(node, _ -> new ArrayDeque<>()).addAll(answer);
  }

  /** Puts one back that was taken, before all others. */
  void putBack(Claim claim) {
    ArrayDeque<Claim> claims = byNode.remove(claim.node());
    if (claims == null) {
      claims = new ArrayDeque<>();
    }
    claims.addFirst(claim);
    byNode.putFirst(claim.node(), claims);
  }

  boolean has(URI node) {
    return byNode.containsKey(node);
  }

  /** The next one of the node whose turn it is; null if there is none at all. */
  @Nullable Claim take() {
    Map.Entry<URI, ArrayDeque<Claim>> first = byNode.pollFirstEntry();
    if (first == null) {
      return null;
    }
    ArrayDeque<Claim> claims = first.getValue();
    Claim claim = claims.remove();
    if (!claims.isEmpty()) {
      byNode.putLast(first.getKey(), claims);
    }
    return claim;
  }

  /** Takes all that are left of a node. */
  List<Claim> takeAll(URI node) {
    ArrayDeque<Claim> claims = byNode.remove(node);
    return claims == null ? List.of() : List.copyOf(claims);
  }

  /** Takes all that are left. */
  List<Claim> takeAll() {
    List<Claim> all = byNode.values().stream().flatMap(ArrayDeque::stream).toList();
    byNode.clear();
    return all;
  }
}
