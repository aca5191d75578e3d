package io.cordwood.store;

import java.net.URI;

/**
 * Another store, as the gossip describes it: seconds old, and perhaps wrong.
 *
 * @param nodeId the identity that outlives its restarts
 * @param uri of its API, as {@code http://HOST:PORT}
 * @param storedBytes of the segments that it holds
 * @param freeDiskBytes that its disk can still take
 * @param readsLists whether it takes segments that list their batches, as all but earlier versions
 * @param readsLabels whether it takes batches with labels, as all but earlier versions
 */
public record StorePeer(
    String nodeId,
    URI uri,
    long storedBytes,
    long freeDiskBytes,
    boolean readsLists,
    boolean readsLabels) {
  /** A store of this version. */
  public StorePeer(String nodeId, URI uri, long storedBytes, long freeDiskBytes) {
    this(nodeId, uri, storedBytes, freeDiskBytes, true, true);
  }

  /**
   * From 0, empty, to 1, full: the part of what it could hold that it does hold. So disks of
   * different sizes fill up alike, and one that others fill counts as the smaller for it.
   */
  public double fullness() {
    long both = storedBytes + freeDiskBytes;
    return both == 0 ? 0 : (double) storedBytes / both;
  }

  @Override
  public String toString() {
    return "store " + nodeId + " at " + uri.getAuthority();
  }
}
