package io.cordwood.ingest.sender;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Lines that were cut off, as the payload of a batch: each ends with a LF, and none is blank.
 *
 * @param buffers of the payload; views of what was cut, unless blank lines had to be left out
 * @param lines in it; 0 if all were blank
 * @param wireBytes of it that were received: all but a LF that was added
 * @param blankLines that were left out
 * @param blankBytes of them that were received
 */
public record LinePayload(
    ByteBuffer[] buffers, int lines, int wireBytes, int blankLines, int blankBytes) {
  private static final byte LF = '\n';

  /**
   * Makes a payload of what was cut off.
   *
   * @param cut whole lines; not copied
   * @param bytes of it
   * @param addsLf whether the last line has no LF, and gets one
   */
  public static LinePayload of(ByteBuffer[] cut, int bytes, boolean addsLf) {
    ByteBuffer[] payload = cut;
    if (addsLf) {
      payload = Arrays.copyOf(cut, cut.length + 1);
      payload[cut.length] = ByteBuffer.wrap(new byte[] {LF});
    }
    var scan = new LineScan();
    for (ByteBuffer part : payload) {
      scan.look(part);
    }
    if (!scan.mayHaveBlanks()) {
      return new LinePayload(payload, scan.lines(), bytes, 0, 0);
    }
    var left = BlankLines.dropFrom(payload, bytes + (addsLf ? 1 : 0));
    // A CR alone at the end is blank with a LF that was not received.
    int blankBytes = Math.min(left.blankBytes(), bytes);
    return new LinePayload(
        new ByteBuffer[] {left.payload()},
        left.lines(),
        bytes - blankBytes,
        left.blankLines(),
        blankBytes);
  }
}
