package io.cordwood.common.cluster;

/**
 * The kinds of object that gossip may carry, each with its tag byte and with what it may hold.
 *
 * <p>This closed list is what stands between the network and object creation: a tag outside it is
 * refused, and so is one at a place where it does not belong. Nesting ends by itself, since no type
 * can hold itself.
 */
enum WireType {
  NULL(0),
  MEMBER(1),
  STATUS(2),
  ACK(3),
  RECORD(4),
  PING(5),
  SYNC(6),
  NEWS(7),
  GOSSIP(8),
  GOSSIP_REQUEST(9),
  METADATA_REQUEST(10),
  METADATA_RESPONSE(11),
  RECOLLECTION(12);

  private static final WireType[] BY_TAG = values();

  private final int tag;

  WireType(int tag) {
    this.tag = tag;
  }

  int tag() {
    return tag;
  }

  /** Whether the object at this place in one of this type, counted from 0, may be of that type. */
  boolean mayHold(int place, WireType type) {
    return switch (this) {
      case RECORD -> type == (place == 0 ? MEMBER : STATUS);
      case PING -> place < 2 ? type == MEMBER : type == NULL || type == (place == 2 ? MEMBER : ACK);
      case SYNC -> type == RECORD;
      case GOSSIP -> type == NEWS;
      case GOSSIP_REQUEST -> type == GOSSIP;
      case METADATA_REQUEST, METADATA_RESPONSE -> type == MEMBER;
      case NULL, MEMBER, STATUS, ACK, NEWS, RECOLLECTION -> false;
    };
  }

  static WireType ofTag(int tag) throws GossipFormatException {
    if (tag >= BY_TAG.length) {
      throw new GossipFormatException("unknown object tag " + tag);
    }
    return BY_TAG[tag];
  }
}
