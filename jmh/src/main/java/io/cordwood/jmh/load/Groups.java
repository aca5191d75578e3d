package io.cordwood.jmh.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups of whole lines from a file, in memory outside the heap, to be sent again and again.
 * Immutable; for all threads.
 *
 * @param all at least one
 */
record Groups(List<Group> all) {
  private static final int MAX_BYTES = 8 << 20;

  /**
   * Lines that are sent together.
   *
   * @param lines not to be moved: duplicate it
   */
  record Group(ByteBuffer lines, int records) {
    int bytes() {
      return lines.limit();
    }
  }

  /**
   * Reads lines, without blank ones, which are no records.
   *
   * @param groupBytes that a group has at most, but for a line that is longer
   */
  static Groups of(Path file, int groupBytes) throws IOException {
    List<Group> groups = new ArrayList<>();
    var group = new ByteArrayOutputStream(groupBytes);
    int records = 0;
    long bytes = 0;
    try (InputStream lines = new BufferedInputStream(Files.newInputStream(file))) {
      for (byte[] line = line(lines); line.length > 0; line = line(lines)) {
        if (records > 0 && group.size() + line.length > groupBytes) {
          groups.add(group(group, records));
          group.reset();
          records = 0;
        }
        group.writeBytes(line);
        records++;
        bytes += line.length;
        if (bytes >= Math.max(MAX_BYTES, 4L * groupBytes)) {
          break;
        }
      }
    }
    if (groups.isEmpty() && records == 0) {
      throw new IOException(file + ": expected lines, found none");
    }
    if (groups.isEmpty()) {
      groups.add(group(group, records));
    }
    return new Groups(List.copyOf(groups));
  }

  private static Group group(ByteArrayOutputStream lines, int records) {
    byte[] bytes = lines.toByteArray();
    return new Group(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), records);
  }

  /** The next line that is not blank, ended by LF; empty at the end. */
  private static byte[] line(InputStream file) throws IOException {
    var line = new ByteArrayOutputStream(256);
    for (int b = file.read(); b >= 0; b = file.read()) {
      if (b == '\n' && line.toString(StandardCharsets.ISO_8859_1).isBlank()) {
        line.reset();
      } else {
        line.write(b);
        if (b == '\n') {
          return line.toByteArray();
        }
      }
    }
    return new byte[0];
  }
}
