package io.cordwood.store.keep;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.RetentionRule;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stores that upload to a place, as the place says itself: each puts there what it is called,
 * its rules, and whom it has ever met. So a store sees that one of another cluster is there, or one
 * whose rules are others. One thread.
 *
 * <pre>
 *   stores/UUID    lines: node ID, rule [TOPICS=]TIME, met ID
 * </pre>
 */
final class PlaceStores {
  private static final String ROOT = "stores/";
  private static final int MOST_BYTES = 1 << 20;

  private final Bucket bucket;
  private final KnownPeers peers;
  private final SortedSet<String> rules = new TreeSet<>();

  /** By key; what was read once counts, whatever later lists lack. */
  private final Map<String, Announcement> known = new TreeMap<>();

  private record Announcement(String node, SortedSet<String> rules, SortedSet<String> met) {
    static Optional<Announcement> parse(String text) {
      String node = "";
      var said = new Announcement(node, new TreeSet<>(), new TreeSet<>());
      for (String line : text.split("\n", -1)) {
        int space = line.indexOf(' ');
        String rest = line.substring(space + 1);
        switch (line.substring(0, Math.max(0, space))) {
          case "node" -> node = rest;
          case "rule" -> said.rules.add(rest);
          case "met" -> said.met.add(rest);
          default -> {
            // Of a later version.
          }
        }
      }
      return node.isEmpty()
          ? Optional.empty()
          : Optional.of(new Announcement(node, said.rules, said.met));
    }

    String text() {
      var text = new StringBuilder("node " + node + "\n");
      rules.forEach(it -> text.append("rule ").append(it).append('\n'));
      met.forEach(it -> text.append("met ").append(it).append('\n'));
      return text.toString();
    }
  }

  PlaceStores(Bucket bucket, KnownPeers peers, ByTopic<Duration> retention) {
    this.bucket = bucket;
    this.peers = peers;
    retention
        .values()
        .forEach((topics, time) -> {
          if (!time.equals(ColdOptions.FOR_EVER)) {
            rules.add(new RetentionRule(topics, time).toString());
          }
        });
  }

  /** Says what this store is, where the place does not say it yet; once said, asks no more. */
  void say() throws IOException {
    String ownKey = key(peers.nodeId());
    SortedSet<String> met = new TreeSet<>(others());
    met.addAll(peers.allStores().get().orElse(Set.of())); // Those that are away, too.
    met.remove(peers.nodeId());
    Announcement before = known.get(ownKey);
    if (before == null) {
      before = read(ownKey);
    }
    if (before != null) {
      met.addAll(before.met);
    }
    var own = new Announcement(peers.nodeId(), rules, met);
    if (!own.equals(before)) {
      bucket.put(ownKey, ObjectContent.of(own.text().getBytes(StandardCharsets.UTF_8)));
    }
    known.put(ownKey, own);
  }

  private List<String> others() {
    return peers.otherStores().stream().map(StorePeer::nodeId).sorted().toList();
  }

  /**
   * Says what this store is, and reads what others said.
   *
   * @return why nothing may be deleted; empty if all is as it should be
   */
  Optional<String> check() throws IOException {
    say();
    String ownKey = key(peers.nodeId());
    Set<String> unlisted = new HashSet<>(known.keySet());
    for (Bucket.Entry entry : bucket.listAll(ROOT)) {
      unlisted.remove(entry.key());
      if (!entry.key().equals(ownKey)) {
        Announcement said = read(entry.key());
        if (said == null) {
          return Optional.of(entry.key() + " says of no store what it is");
        }
        known.put(entry.key(), said);
      }
    }
    for (String key : unlisted) {
      if (bucket.size(key).isEmpty()) { // A list may lack what is there.
        known.remove(key);
      }
    }
    return others().stream()
        .flatMap(it -> differing(it).stream())
        .findFirst()
        .or(this::ofAnotherCluster);
  }

  private static String key(String node) {
    return ROOT + UUID.nameUUIDFromBytes(node.getBytes(StandardCharsets.UTF_8));
  }

  private @Nullable Announcement read(String key) throws IOException {
    try {
      var bytes = bucket.tail(key, MOST_BYTES).bytes();
      return Announcement.parse(StandardCharsets.UTF_8.decode(bytes).toString()).orElse(null);
    } catch (BucketException e) {
      if (e.kind() == BucketException.Kind.MISSING) {
        return null;
      }
      throw e;
    }
  }

  private Optional<String> differing(String node) {
    Announcement said = known.get(key(node));
    if (said == null) {
      return Optional.of("the store " + node + " has not said yet how long it keeps there what");
    }
    return said.rules.equals(rules)
        ? Optional.empty()
        : Optional.of(
            "the store %s has the rules %s, this one has %s".formatted(node, said.rules, rules));
  }

  /** Clusters whose stores have never met, not even by those that one of them has met. */
  private Optional<String> ofAnotherCluster() {
    Set<String> ours = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(Set.of(peers.nodeId()));
    while (!next.isEmpty()) {
      String node = next.remove();
      if (ours.add(node)) {
        for (Announcement said : known.values()) {
          if (said.node.equals(node)) {
            next.addAll(said.met);
          } else if (said.met.contains(node)) {
            next.add(said.node);
          }
        }
      }
    }
    return known.entrySet().stream()
        .filter(it -> !ours.contains(it.getValue().node))
        .map(it ->
            "%s is of the store %s, which this cluster never met: delete it if that store is gone"
                    .formatted(it.getKey(), it.getValue().node)
                + " for good; a store of another cluster needs another prefix")
        .findFirst();
  }
}
