package io.cordwood.common.cluster;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one node believes about the cluster at one moment; another may believe something else.
 *
 * @param gossipAddress host:port that this node tells its peers
 * @param seeds host:port as configured
 * @param joined whether the first round of asking the seeds is over, however it went
 * @param others all that is listed, in the order of arrival; a restarted node may be there twice
 *     for some seconds
 */
public record ClusterView(
    String clusterName,
    NodeInfo self,
    String gossipAddress,
    List<String> seeds,
    boolean joined,
    List<Listed> others) {

  /** Where a listed member is in its life. */
  public enum State {
    /** Answers, and has said who it is. */
    ALIVE,
    /** Answers, but has not said who it is in a way that this node understands. */
    UNDESCRIBED,
    /** Said that it goes; asked for nothing any more. */
    LEAVING
  }

  /**
   * One other member.
   *
   * @param gossipAddress host:port
   * @param since when it came, or began to leave
   * @param node what it said about itself; null if that is not known
   */
  public record Listed(String gossipAddress, State state, Instant since, @Nullable NodeInfo node) {}
}
