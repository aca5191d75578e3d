package io.cordwood.store;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;

/**
 * Who is there besides a store. The suppliers answer at once, from any thread, with what is
 * believed at that moment.
 *
 * @param nodeId of this store
 * @param ingestNodes where there are ingest nodes, as {@code http://HOST:PORT}
 * @param stores the other living stores; this one may be among them and is left out
 */
public record Neighbours(
    String nodeId, Supplier<List<URI>> ingestNodes, Supplier<List<StorePeer>> stores) {
  /** Of a store that is the only one. */
  public static Neighbours onlyIngestNodes(Supplier<List<URI>> ingestNodes) {
    return new Neighbours("alone", ingestNodes, List::of);
  }

  /** The other living stores, each once. */
  public List<StorePeer> otherStores() {
    var known = new HashMap<String, StorePeer>();
    stores.get().forEach(peer -> known.put(peer.nodeId(), peer));
    known.remove(nodeId);
    return List.copyOf(known.values());
  }
}
