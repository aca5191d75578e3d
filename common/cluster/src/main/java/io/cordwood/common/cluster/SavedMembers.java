package io.cordwood.common.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contents of a {@link MembersFile}.
 *
 * @param past what it is worth
 * @param why where something is lost, what; else empty
 * @param introduced the id of the node that wrote it, if another node knew of it; else empty
 * @param departed the nodes that were known, all of them gone as far as a node can say that has
 *     just started
 * @param unreadable by node id, the lines of those who describe themselves in a later version
 * @param ownAddresses where the node itself was
 * @param otherAddresses where somebody may be who knows more
 * @param metPeers the peers given by flags that were members at some time, under whatever address
 */
record SavedMembers(
    MemberHistory past,
    String why,
    String introduced,
    List<DepartedNode> departed,
    Map<String, String> unreadable,
    Set<String> ownAddresses,
    Set<String> otherAddresses,
    Set<String> metPeers) {
  /** The memory of a node that keeps no file. */
  static final SavedMembers NOTHING =
      new SavedMembers(
          MemberHistory.FRESH, "", "", List.of(), Map.of(), Set.of(), Set.of(), Set.of());
}
