package io.cordwood.common.cluster;

import io.scalecube.cluster.fdetector.FailureDetectorImpl;
import io.scalecube.cluster.gossip.GossipProtocolImpl;
import io.scalecube.cluster.membership.MembershipProtocolImpl;
import io.scalecube.cluster.metadata.MetadataStoreImpl;
import org.jspecify.annotations.Nullable;

/**
 * The messages that peers send each other; the wire has the tag instead of the library's qualifier.
 *
 * <p>Each kind carries one type of object. The library casts without looking, and a cast that fails
 * would end its subscription to messages for good, so the pair is checked before it sees anything.
 */
enum MessageKind {
  PING(1, FailureDetectorImpl.PING, WireType.PING),
  PING_REQUEST(2, FailureDetectorImpl.PING_REQ, WireType.PING),
  PING_ACK(3, FailureDetectorImpl.PING_ACK, WireType.PING),
  SYNC(4, MembershipProtocolImpl.SYNC, WireType.SYNC),
  SYNC_ACK(5, MembershipProtocolImpl.SYNC_ACK, WireType.SYNC),
  GOSSIP(6, GossipProtocolImpl.GOSSIP_REQ, WireType.GOSSIP_REQUEST),
  METADATA_REQUEST(7, MetadataStoreImpl.GET_METADATA_REQ, WireType.METADATA_REQUEST),
  METADATA_RESPONSE(8, MetadataStoreImpl.GET_METADATA_RESP, WireType.METADATA_RESPONSE),
  /** Our own: the library passes it on. Only nodes that say so understand it. */
  RECOLLECTION(9, "cordwood/recollection", WireType.RECOLLECTION);

  /** The qualifier of the message inside a gossip, the only kind there is. */
  static final String NEWS_QUALIFIER = MembershipProtocolImpl.MEMBERSHIP_GOSSIP;

  private static final MessageKind[] ALL = values();

  private final int tag;
  private final String qualifier;
  private final WireType payload;

  MessageKind(int tag, String qualifier, WireType payload) {
    this.tag = tag;
    this.qualifier = qualifier;
    this.payload = payload;
  }

  int tag() {
    return tag;
  }

  String qualifier() {
    return qualifier;
  }

  WireType payload() {
    return payload;
  }

  static MessageKind ofTag(int tag) throws GossipFormatException {
    if (tag < 1 || tag > ALL.length) {
      throw new GossipFormatException("unknown message kind " + tag);
    }
    return ALL[tag - 1];
  }

  static MessageKind ofQualifier(@Nullable String qualifier) throws GossipFormatException {
    for (MessageKind kind : ALL) {
      if (kind.qualifier.equals(qualifier)) {
        return kind;
      }
    }
    throw new GossipFormatException("no message kind for qualifier " + qualifier);
  }
}
