package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ReclaimableMemoryTest {
  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .*");

  @Test
  void linuxMakesNoHugePagesOfItUnasked() throws IOException {
    assumeThat(Path.of("/sys/kernel/mm/transparent_hugepage")).exists();
    var memory = new ReclaimableMemory(8 << 20);
    try {
      // Source: proc_pid_smaps(5).
      assertThat(flagsAt(memory.at(0, 1).address()).split(" ")).contains("nh");
    } finally {
      memory.close();
    }
  }

  /** The {@code VmFlags} of the mapping around an address. */
  private static String flagsAt(long address) throws IOException {
    boolean around = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.matches()) {
        around =
            Long.parseUnsignedLong(mapping.group(1), 16) <= address
                && address < Long.parseUnsignedLong(mapping.group(2), 16);
      } else if (around && line.startsWith("VmFlags:")) {
        return line;
      }
    }
    throw new AssertionError("expected a mapping around " + Long.toHexString(address));
  }
}
