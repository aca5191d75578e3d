package io.cordwood.ingest;

import io.cordwood.common.segment.Topic;
import io.cordwood.ingest.UploadRefusedException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The optional first line of an upload, {@code CORDWOOD/1 topic=NAME}. */
final class UploadPreamble {
  private static final String START = "CORDWOOD/1";
  private static final String TOPIC = "topic=";
  private static final int MAX_BYTES = 1024;

  private UploadPreamble() {}

  /** Takes it from a window's start, if it is there; gives the topic that it names. */
  static Optional<Topic> read(UploadWindow window) throws UploadRefusedException {
    ByteBuffer unread = window.unread();
    int length = Math.min(unread.remaining(), MAX_BYTES);
    byte[] start = new byte[length];
    unread.get(unread.position(), start);
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (!text.matches("(?s)" + START + "([ \r\n].*)?")) {
      return Optional.empty();
    }
    int end = text.indexOf('\n');
    if (end < 0 && length == MAX_BYTES) {
      throw refused("a line of at most " + MAX_BYTES + " bytes");
    }
    unread.position(unread.position() + (end < 0 ? length : end + 1));
    return topic(text.substring(START.length(), end < 0 ? length : end).strip());
  }

  private static Optional<Topic> topic(String rest) throws UploadRefusedException {
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    if (!rest.startsWith(TOPIC)) {
      throw refused("topic=NAME behind CORDWOOD/1");
    }
    try {
      return Optional.of(new Topic(rest.substring(TOPIC.length())));
    } catch (IllegalArgumentException e) {
      throw new UploadRefusedException(Reason.MALFORMED, "preamble: " + e.getMessage());
    }
  }

  private static UploadRefusedException refused(String expected) {
    return new UploadRefusedException(
        Reason.MALFORMED, "preamble: expected " + expected + ", found another");
  }
}
