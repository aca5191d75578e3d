package io.cordwood.ingest;

import java.util.Locale;

/** Why received bytes or records were not stored. */
public enum RejectReason {
  /** The bytes of blank lines, which are no records. */
  BLANK,
  /** The bytes of a protocol around its records. */
  ENVELOPE,
  /** The bytes of a preamble, which is no record. */
  PREAMBLE,
  /** A preamble that is not as it must be, or at a port of another protocol, and all after it. */
  BAD_PREAMBLE,
  /** An HTTP request, which is not for ports that take lines. */
  HTTP,
  /** Sent without a token that allows it. */
  TOKEN,
  /** The beginning of a TLS connection, on a port that speaks plain text. */
  TLS,
  /** Syslog with the length in front of each message, which are no lines. */
  OCTET_COUNTED,
  /** Something packed, which are no lines. */
  PACKED,
  /** Records as Python pickles them, which are no lines. */
  PICKLED,
  /** Lines in UTF-16, which searches would not find. */
  UTF_16,
  /** The record's topic is one more than the node takes. */
  TOPICS,
  /** A batch that is not as its header says, and what came after it. */
  CORRUPT,
  /** An event that is not as its protocol has it. */
  INVALID,
  /** A batch that the connection's end cut off, or parts of a message without the others. */
  CUT,
  /** An unfinished batch, when too much of such was held in memory. */
  MEMORY,
  /** The disk fails; durable mode only, where the sender is told so. */
  DISK,
  /** An upload that was not taken, or did not come to its end: all of it. */
  UPLOAD,
  /** The node was closed while the disk took nothing. */
  CLOSED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
