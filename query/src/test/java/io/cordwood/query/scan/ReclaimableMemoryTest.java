package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ReclaimableMemoryTest {
  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .*");

  @Test
  void linuxMakesNoHugePagesOfItUnasked() throws IOException {
    assumeTrue(Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage")));
    var memory = new ReclaimableMemory(8 << 20);
    try {
      // Source: proc_pid_smaps(5).
      assertThat(flagsAt(memory.at(0, 1).address()).split(" ")).contains("nh");
    } finally {
      memory.close();
    }
  }

  /** A page that is lent while it is written might be taken before what tells of that is there. */
  @Test
  void whatIsBesideABodyIsNotLentWithIt() throws IOException {
    var memory = new ReclaimableMemory(1 << 20);
    int unit = ReclaimableMemory.ROOM_UNIT;
    byte[] body = new byte[unit - 2 * Long.BYTES];
    Arrays.fill(body, (byte) 'x');
    try {
      MemorySegment between = memory.at(unit, unit - 2 * Long.BYTES);
      between.fill((byte) 'y');
      int written = kilobytesAt(between.address(), "Private_Dirty:");
      memory.write(body, body.length, 0);
      memory.write(body, body.length, 2L * unit);
      // Source: proc_pid_smaps(5), madvise(2): what is lent is clean until it is written to.
      assertThat(written).isPositive();
      assertThat(kilobytesAt(between.address(), "Private_Dirty:")).isEqualTo(written);
    } finally {
      memory.close();
    }
  }

  private static int kilobytesAt(long address, String field) throws IOException {
    return Integer.parseInt(lineAt(address, field).replaceAll("[^0-9]", ""));
  }

  /** The {@code VmFlags} of the mapping around an address. */
  private static String flagsAt(long address) throws IOException {
    return lineAt(address, "VmFlags:");
  }

  private static String lineAt(long address, String field) throws IOException {
    boolean around = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.matches()) {
        around =
            Long.parseUnsignedLong(mapping.group(1), 16) <= address
                && address < Long.parseUnsignedLong(mapping.group(2), 16);
      } else if (around && line.startsWith(field)) {
        return line;
      }
    }
    throw new AssertionError("expected a mapping around " + Long.toHexString(address));
  }
}
