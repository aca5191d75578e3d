package io.cordwood.common.cluster;

/** A node's task in the cluster; one node may have several. */
public enum Role {
  /** Takes records from senders and keeps them until a store has them. */
  INGEST(0),
  /** Consumes from ingest nodes, replicates, and keeps records until they expire. */
  STORE(1),
  /** Scatters queries and gathers the answers. */
  QUERY(2);

  private final int bit;

  Role(int bit) {
    this.bit = bit;
  }

  /** Its place in what gossip carries; never reused for another. */
  int mask() {
    return 1 << bit;
  }
}
