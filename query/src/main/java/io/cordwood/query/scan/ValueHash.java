package io.cordwood.query.scan;

/** 64 bits of a value, the same on all nodes: FNV-1a, then mixed as MurmurHash3 ends. */
final class ValueHash {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private ValueHash() {}

  static long of(byte[] value) {
    long hash = OFFSET;
    for (byte b : value) {
      hash = (hash ^ (b & 0xFF)) * PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
