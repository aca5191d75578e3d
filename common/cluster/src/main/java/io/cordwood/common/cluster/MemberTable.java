package io.cordwood.common.cluster;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The body of a frame with a table of members, of which a part can be taken. A part is a table,
 * too: whoever receives it takes in the records that are there, and concludes nothing of others.
 */
final class MemberTable {
  private final byte[] body;
  private final List<Place> records;
  private final int own;

  /**
   * A record in the body.
   *
   * @param begin its first byte
   * @param end the byte after its last
   * @param address of its member
   */
  record Place(int begin, int end, String address) {
    int bytes() {
      return end - begin;
    }
  }

  /**
   * @param records at least one
   * @param self the address of the node whose record is in every part, if the table has it
   */
  MemberTable(byte[] body, List<Place> records, String self) {
    this.body = body;
    this.records = records;
    own = records.stream().map(Place::address).toList().indexOf(self);
  }

  int size() {
    return records.size();
  }

  /**
   * The body of a table with this many records.
   *
   * @param count at least one
   * @param first the place in this table from which they are taken, beside the node's own record;
   *     after the last comes the first
   */
  byte[] part(int count, int first) {
    int begin = records.getFirst().begin;
    ByteBuffer part = ByteBuffer.allocate(body.length);
    part.put(body, 0, begin - Integer.BYTES).putInt(count);
    int left = count;
    if (own >= 0) {
      put(part, own);
      left--;
    }
    for (int i = first; left > 0; i++) {
      int next = i % records.size();
      if (next != own) {
        put(part, next);
        left--;
      }
    }
    byte[] bytes = new byte[part.flip().remaining()];
    part.get(bytes);
    return bytes;
  }

  private void put(ByteBuffer part, int index) {
    Place place = records.get(index);
    part.put(body, place.begin, place.bytes());
  }
}
