package io.cordwood.store.replicate;

import java.util.Locale;

/** Why a store does not keep a replica that a peer sends, and the HTTP status that says so. */
enum ReplicaRefusal {
  /** The peer has this store's identity: one of the two folders is a copy of the other. */
  SAME_NODE(409),
  /** It is meant for another store, at whose old address this one is. */
  OTHER_NODE(421),
  /** It is not said how long it is, so that it could not be told whether it came whole. */
  NO_LENGTH(411),
  TOO_LONG(413),
  /** Fewer bytes came than were announced. */
  CUT(400),
  /** Nothing more of it came for long. */
  STALLED(408),
  /** It is no store segment, one of another version, or a checksum is wrong. */
  DAMAGED(400),
  /** Too many others are being received. */
  BUSY(503),
  STOPPING(503),
  DISK_FULL(507),
  DISK_ERROR(500);

  private final int status;

  ReplicaRefusal(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }

  /** As a metric's label. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
