package io.cordwood.common.cluster;

import java.util.Locale;

/** How much a node knows of the nodes that were in its cluster before. */
enum MemberHistory {
  /** It has none: its data folder was new, and no other node has said yet whom it remembers. */
  FRESH(0),
  /** All that it could have met, so that others who have lost theirs may rely on it. */
  WHOLE(1),
  /** It has one, and does not know all of it. */
  LOST(2);

  private final int tag;

  MemberHistory(int tag) {
    this.tag = tag;
  }

  /** Its place in what gossip carries. */
  int tag() {
    return tag;
  }

  static MemberHistory ofTag(int tag) throws GossipFormatException {
    for (MemberHistory past : values()) {
      if (past.tag == tag) {
        return past;
      }
    }
    throw new GossipFormatException("unknown kind of past " + tag);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
