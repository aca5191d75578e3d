package io.cordwood.common.cluster;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The body of a frame, deflated (RFC 1951) after a byte with the version of that form. */
final class PackedBody {
  static final int VERSION = 2;

  private PackedBody() {}

  static byte[] pack(byte[] body) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(body.length / 2);
    packed.write(VERSION);
    try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
      deflater.setInput(body);
      deflater.finish();
      byte[] some = new byte[8 * 1024];
      while (!deflater.finished()) {
        packed.write(some, 0, deflater.deflate(some));
      }
    }
    return packed.toByteArray();
  }

  /**
   * @param maxBytes of the body; more is refused before more than that is allocated twice over
   */
  static byte[] unpack(byte[] packed, int maxBytes) throws GossipFormatException {
    ByteArrayOutputStream body = new ByteArrayOutputStream(packed.length);
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(packed, 1, packed.length - 1);
      byte[] some = new byte[8 * 1024];
      while (!inflater.finished()) {
        int read = inflater.inflate(some);
        if (read == 0 && !inflater.finished()) {
          throw new GossipFormatException("a packed frame that is cut off");
        }
        if (body.size() + read > maxBytes) {
          throw new GossipFormatException("unpacks to more than " + maxBytes + " bytes");
        }
        body.write(some, 0, read);
      }
      if (inflater.getRemaining() > 0) {
        throw new GossipFormatException(inflater.getRemaining() + " packed bytes are left over");
      }
    } catch (DataFormatException e) {
      throw new GossipFormatException("a packed frame that does not unpack: " + e.getMessage());
    }
    return body.toByteArray();
  }
}
