package io.cordwood.store.repair;

import io.cordwood.common.http.KnownParts;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables of slices that other stores gave last, so that of each only what is new has to come.
 * Memory: about 120 bytes a slice and store. For all threads.
 */
final class KnownTables {
  private final Map<String, SliceTable> last = new ConcurrentHashMap<>();

  /** Asks a store for its table. */
  @FunctionalInterface
  interface Call {
    /**
     * Asks for what is new.
     *
     * @param before the table as it is known, null if it is not
     * @param parts of that
     */
    SliceTable ask(@Nullable SliceTable before, Optional<KnownParts> parts) throws IOException;
  }

  /** The table of a store; if that fails, all of it has to come the next time. */
  SliceTable get(StorePeer peer, Call call) throws IOException {
    SliceTable before = last.remove(peer.nodeId());
    Optional<KnownParts> parts =
        Optional.ofNullable(before).map(it -> it.parts(KnownParts.countFor(it.slices().size())));
    SliceTable table = call.ask(before, parts);
    last.put(peer.nodeId(), table);
    return table;
  }

  /** Forgets the tables of all other stores. */
  void retain(Collection<StorePeer> peers) {
    last.keySet().retainAll(peers.stream().map(StorePeer::nodeId).collect(Collectors.toSet()));
  }
}
