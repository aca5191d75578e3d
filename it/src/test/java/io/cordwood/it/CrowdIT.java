package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As many senders as a node takes, and some more, all at once. */
final class CrowdIT {
  /** Just beyond the bound that a node has by default. */
  private static final int SENDERS = 10_020;

  private static final int BOUND = 10_000;
  private static final long MOST_MEMORY_BYTES = 512L << 20;
  private static final Pattern MAX_FILES = Pattern.compile("Max open files +(\\d+)");

  @TempDir private Path folder;

  @Test
  void tenThousandConnectionsAtOnceAreAcknowledgedOrToldWhyNot() throws IOException {
    assumeTrue(
        maxOpenFiles() > SENDERS + 500,
        "10,000 connections: not tested, since a process may not have so many here");
    List<Sender> crowd = new ArrayList<>();
    try (NodeProcess node = NodeProcess.start(folder)) {
      int acknowledged = 0;
      try {
        for (int i = 0; i < SENDERS; i++) {
          crowd.add(new Sender(node.durablePort()));
        }
        for (int i = 0; i < SENDERS; i++) {
          acknowledged += isAcknowledged(crowd.get(i), "crowd " + i) ? 1 : 0;
        }
      } finally {
        for (Sender sender : crowd) {
          sender.close();
        }
      }
      assertThat(acknowledged).isEqualTo(BOUND);
      node.awaitCount("crowd ", acknowledged);
      assertThat(node.find("crowd ")).hasSize(acknowledged).doesNotHaveDuplicates();
      assertThat(node.program().peakMemoryBytes()).isLessThan(MOST_MEMORY_BYTES);
      assertThat(node.program().err()).doesNotContain("OutOfMemory");
    }
  }

  private static boolean isAcknowledged(Sender sender, String line) throws IOException {
    try {
      sender.send(line + "\n");
    } catch (IOException e) {
      return false; // The node said no already, and closed.
    }
    String answer = sender.rest(1);
    assertThat(answer).matches("(?s)ack 1\n|(error: .*\n)?(\\[.*])?");
    return answer.equals("ack 1\n");
  }

  private static long maxOpenFiles() throws IOException {
    Matcher limit = MAX_FILES.matcher(Files.readString(Path.of("/proc/self/limits")));
    return limit.find() ? Long.parseLong(limit.group(1)) : 0;
  }
}
