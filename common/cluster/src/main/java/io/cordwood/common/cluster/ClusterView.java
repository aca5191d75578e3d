package io.cordwood.common.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one node sees it at one moment; another node may see it differently.
 *
 * @param seeds the peers that it was told of
 * @param joined whether the first round of asking the seeds is over, however it went
 * @param others all that is listed, in the order of arrival; a restarted node may be there twice
 *     for some seconds
 * @param departed the nodes that were members and are gone, in the order in which they went
 * @param twins by node id, the gossip addresses of living members that have the same one
 */
public record ClusterView(
    String clusterName,
    Self self,
    List<Seed> seeds,
    boolean joined,
    List<Listed> others,
    List<DepartedNode> departed,
    Map<String, Set<String>> twins) {

  /**
   * This node.
   *
   * @param gossipAddress host:port that it tells its peers
   * @param keyIds what may be shown of its keys; none if it has no key
   */
  public record Self(NodeInfo node, String gossipAddress, List<String> keyIds) {}

  /** The state of a listed member. */
  public enum State {
    /** Answers, and has said who it is. */
    ALIVE,
    /** Answers, but has not said who it is in a way that this node understands. */
    UNDESCRIBED,
    /** Said that it goes; asked for nothing any more. */
    LEAVING
  }

  /**
   * A peer that this node was told of.
   *
   * @param address host:port as configured
   * @param trouble why the last call did not reach it; null if it did, or is still to come
   */
  public record Seed(String address, @Nullable String trouble) {}

  /**
   * One other member.
   *
   * @param gossipAddress host:port
   * @param since when it came, or began to leave
   * @param node what it said about itself; null if that is not known
   */
  public record Listed(String gossipAddress, State state, Instant since, @Nullable NodeInfo node) {}
}
