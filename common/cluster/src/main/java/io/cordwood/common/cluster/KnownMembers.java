package io.cordwood.common.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that a node knows of a cluster's nodes, at one moment: a node that was ever met is among the
 * members or the departed ones. If the two were read one after the other, a node that is leaving or
 * coming back might be in neither.
 *
 * @param members this node and those that can be asked, as {@link Cluster#membersAndTwins} has them
 * @param departed as {@link Cluster#departed} has them
 * @param doubt as {@link Cluster#doubt} has it
 */
public record KnownMembers(
    List<NodeInfo> members, List<DepartedNode> departed, Optional<String> doubt) {
  /** The members that have a role. */
  public Stream<NodeInfo> with(Role role) {
    return members.stream().filter(node -> node.has(role));
  }

  /**
   * The ids of all nodes that have a role, whether they are there or gone; empty while there may be
   * others.
   */
  public Optional<Set<String>> allWith(Role role) {
    return doubt.isPresent()
        ? Optional.empty()
        : Optional.of(
            Stream.concat(members.stream(), departed.stream().map(DepartedNode::node))
                .filter(node -> node.has(role))
                .map(NodeInfo::nodeId)
                .collect(Collectors.toUnmodifiableSet()));
  }
}
