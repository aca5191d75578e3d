package io.cordwood.common.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this node knows all that were in its cluster: what {@link DepartedNodes} remembers is
 * worth as much as that. Members tell each other whom they remember, when they meet and from time
 * to time. Any thread may use it.
 */
final class Memory {
  /** The most nodes that are remembered after they went. */
  static final int MAX_NODES = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(Memory.class);

  /** The end of a doubt that nothing else ends, for people. */
  private static final String REMEDY =
      "POST /cluster/forget?unknown=true says that nobody else is missing";

  private MemberHistory past = MemberHistory.FRESH;
  private String why = "";
  private boolean introduced;
  private long forgotten;
  private final Map<String, String> unreadable = new LinkedHashMap<>();
  private Set<String> otherAddresses = Set.of();

  /** By gossip address, what members said of themselves since they were last met. */
  private final Map<String, MemberHistory> heard = new HashMap<>();

  /** By gossip address, how much of its list a member has told so far. */
  private final Map<String, Long> told = new HashMap<>();

  /**
   * The part of it that the file has.
   *
   * @param introduced whether another node knows of this one
   * @param unreadable lines of nodes that describe themselves in a later version
   */
  record Written(MemberHistory past, boolean introduced, List<String> unreadable) {}

  synchronized void restore(SavedMembers remembered, String selfNodeId) {
    past = remembered.past();
    why = remembered.why();
    introduced = remembered.introduced().equals(selfNodeId);
    unreadable.putAll(remembered.unreadable());
    unreadable.remove(selfNodeId);
    otherAddresses = remembered.otherAddresses();
  }

  synchronized Written written() {
    return new Written(past, introduced, new ArrayList<>(unreadable.values()));
  }

  /** How this node describes itself: who cannot read of a node cannot speak for it. */
  synchronized MemberHistory past() {
    return unreadable.isEmpty() ? past : MemberHistory.LOST;
  }

  /** Whether a member knows of this node, or somebody does who was one. */
  synchronized boolean isIntroduced() {
    return introduced;
  }

  /** Others have learned that this node, which leaves, is not missed. */
  synchronized void takesItsLeave() {
    introduced = false;
  }

  /** Addresses at which somebody may be who remembers. */
  synchronized Set<String> otherAddresses() {
    return past == MemberHistory.LOST || !unreadable.isEmpty() ? otherAddresses : Set.of();
  }

  /** A member has just come: what was said at its address before was said by another one. */
  synchronized void met(String address) {
    heard.remove(address);
    told.remove(address);
  }

  /**
   * Takes in what a member says of itself; it knows this node, or it would not say it.
   *
   * @param isRead whether all nodes in it were understood
   */
  synchronized void heard(String address, Recollection part, boolean isRead) {
    introduced = true;
    if (part.first() != 0 && part.first() != told.getOrDefault(address, 0L)) {
      return; // A part is lost; all comes again.
    }
    if (!isRead) {
      told.remove(address);
      heard.put(address, MemberHistory.LOST);
      return;
    }
    told.put(address, part.end());
    if (!part.isLast()) {
      return;
    }
    heard.put(address, part.past());
    if (part.past() == MemberHistory.WHOLE && past != MemberHistory.WHOLE) {
      if (past == MemberHistory.LOST) {
        LOG.info("the node at {} has told whom it remembers: this node knows its cluster", address);
      }
      becomesWhole();
    }
  }

  /**
   * Forgets what was said by those who are gone.
   *
   * @param members the gossip addresses of those that are there
   * @return whether this node is new, and each member has said something: there is a look to take
   */
  synchronized boolean heardFrom(Set<String> members) {
    int said = Math.max(heard.size(), told.size());
    if (said < members.size() || (said == members.size() && past != MemberHistory.FRESH)) {
      return false; // nor are those counted who are gone: a large cluster says much
    }
    heard.keySet().retainAll(members);
    told.keySet().retainAll(members);
    return past == MemberHistory.FRESH && heard.size() == members.size();
  }

  /**
   * Looks around: nodes that are all new have nothing to remember.
   *
   * @param members how many are there
   * @param telling the gossip addresses of those whose version tells whom it remembers
   * @param isSure whether nothing else says that there may be others
   */
  synchronized void look(int members, Collection<String> telling, boolean isSure) {
    if (past == MemberHistory.FRESH
        && isSure
        && members == telling.size()
        && telling.stream().allMatch(address -> heard.get(address) == MemberHistory.FRESH)) {
      becomesWhole();
    }
  }

  private void becomesWhole() {
    past = MemberHistory.WHOLE;
    why = "";
  }

  /** Those who are met or remembered need no line that nobody can read. */
  synchronized void known(Collection<String> nodeIds) {
    unreadable.keySet().removeAll(nodeIds);
  }

  /** A node had to be forgotten, since there are too many. */
  synchronized void forgot(DepartedNode node) {
    forgotten++;
    past = MemberHistory.LOST;
    why = "more than " + MAX_NODES + " nodes are gone";
    LOG.warn(
        "{}: {} at {} is forgotten, and answers are possibly incomplete; {}",
        why,
        node.node().nodeId(),
        node.gossipAddress(),
        REMEDY);
  }

  /** A member is gone without a farewell, and never said who it is in words of this version. */
  synchronized void lostSomebody(String address) {
    past = MemberHistory.LOST;
    why = "the node at " + address + " is gone, and this version could not read who it is";
    LOG.warn("{}: answers are possibly incomplete; {}", why, REMEDY);
  }

  synchronized long forgotten() {
    return forgotten;
  }

  /** Somebody has said that nobody is missing of whom this node does not know. */
  synchronized void nobodyElse() {
    unreadable.clear();
    becomesWhole();
  }

  /** The members of whom this node has to hear. */
  synchronized List<String> unheard(Collection<String> telling) {
    return past == MemberHistory.WHOLE && introduced
        ? List.of()
        : telling.stream().filter(address -> heard.get(address) != MemberHistory.WHOLE).toList();
  }

  /**
   * Why there may be nodes that this one does not know, for people; empty if nothing says so.
   *
   * @param telling the gossip addresses of the members whose version tells whom it remembers
   */
  synchronized Optional<String> doubt(Collection<String> telling) {
    if (past == MemberHistory.LOST) {
      return Optional.of(
          "this node's memory of its cluster is lost (%s); %s, or it ends by itself with a member"
                  .formatted(why, REMEDY)
              + " that remembers");
    }
    if (!unreadable.isEmpty()) {
      return Optional.of(
          "this version cannot read the descriptions of %d nodes in the file members; %s"
              .formatted(unreadable.size(), REMEDY));
    }
    return past == MemberHistory.WHOLE ? Optional.empty() : doubtOfAFreshOne(telling);
  }

  private Optional<String> doubtOfAFreshOne(Collection<String> telling) {
    for (String address : telling) {
      MemberHistory said = heard.get(address);
      if (said == null) {
        return Optional.of("the node at " + address + " has not told yet whom it remembers");
      }
      if (said == MemberHistory.LOST) {
        return Optional.of("the node at " + address + " does not remember all of its cluster");
      }
    }
    return Optional.empty();
  }
}
