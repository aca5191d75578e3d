package io.cordwood.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Too few file descriptors, no space on the disk, little memory. */
final class ExhaustedMachineIT {
  /** A node as users run it: what the compilers take is the node's memory, too. */
  private static final String ALL_COMPILERS =
      "CORDWOOD_JAVA_OPTS='" + Program.OF_A_SMALL_MACHINE + "' exec \"$@\"";

  private static final int MIB = 1 << 20;

  /** Of the connections, each was refused many times. Two more in ten seconds may be written. */
  private static final int MOST_LINES = 50;

  private static final int LINES_A_BLOCK = 8000;

  @TempDir private Path folder;

  @Test
  void nodeWithoutFileDescriptorsLivesAndRecovers() throws IOException {
    int descriptors = 200;
    List<Sender> many = new ArrayList<>();
    try (NodeProcess node =
            NodeProcess.startBy("ulimit -n " + descriptors + " && exec \"$@\"", folder);
        Sender first = node.connect()) {
      first.send("descriptors: before\n");
      node.awaitCount("descriptors: before", 1);
      try {
        for (int i = 0; i < descriptors; i++) {
          Sender sender = node.connect();
          many.add(sender);
          sender.send("descriptors: crowd " + i + "\n");
        }
        await().until(() -> node.program().openFiles() >= descriptors - 2);
        first.send("descriptors: while there are none\n");
      } finally {
        for (Sender sender : many) {
          sender.close();
        }
      }
      node.send("descriptors: behind\n");
      node.awaitCount("descriptors: ", 3 + descriptors);
      assertThat(node.find("descriptors: ")).doesNotHaveDuplicates().hasSize(3 + descriptors);
      assertThat(node.program().isAlive()).isTrue();
      node.stop();
    }
  }

  /**
   * What is tried once a process, and needs a file descriptor, is done before there may be none.
   */
  @Test
  void nativeLibrariesAreLoadedWhenANodeStarts() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      Set<String> atStart = node.program().libraries();
      assertThat(atStart).anyMatch(file -> file.contains("zstd"));
      node.send("libraries: one\n");
      node.awaitStored(1);
      assertThat(node.grep("libraries: ").text()).contains("libraries: one");
      assertThat(node.program().libraries()).isEqualTo(atStart);
    }
  }

  /** The kernel takes connections that the node cannot; it tries again and again meanwhile. */
  @Test
  void connectionsThatCannotBeAcceptedAreToldOfSeldom() throws IOException {
    int descriptors = 64;
    String limit = "ulimit -n " + descriptors + " && exec \"$@\"";
    Instant start = Instant.now();
    try (NodeProcess node = NodeProcess.startBy(limit, folder)) {
      node.send("descriptors: before\n");
      List<Integer> ports =
          List.of(node.fastPort(), node.durablePort(), node.bulkPort(), node.apiPort());
      List<Sender> many = new ArrayList<>();
      try {
        for (int port : ports) {
          for (int i = 0; i < 100; i++) {
            many.add(new Sender(port));
          }
        }
        for (String listener : List.of("AcceptFailures", "SocketListener")) {
          node.program().awaitErr(listener + " - cannot accept a connection at ");
        }
        node.program().awaitErr(" more not logged)");
      } finally {
        for (Sender sender : many) {
          sender.close();
        }
      }
      node.awaitCount("descriptors: before", 1);
      node.send("descriptors: behind\n");
      node.awaitCount("descriptors: behind", 1);
      String log = node.program().err();
      assertThat(log).doesNotContain("reached at the tail");
      assertThat(log.lines().filter(line -> line.contains("cannot accept a connection")))
          .hasSizeLessThan(MOST_LINES + (int) Duration.between(start, Instant.now()).toSeconds());
      assertThat(log.lines().filter(line -> line.startsWith("\tat "))).isEmpty();
      node.stop();
    }
  }

  /** 120 MB of records, each of 64 asks for all of them, and the node has 256 MiB. */
  @Test
  void manyWhoAskForMoreThanTheMemoryHoldsAreAnsweredAndToldWhereItStopped() throws Exception {
    try (NodeProcess node = NodeProcess.start(folder)) {
      String tail = "x".repeat(3000);
      for (int burst = 0; burst < 20; burst++) {
        var lines = new StringBuilder();
        IntStream.range(0, 2000).forEach(i -> lines.append(i).append(tail).append('\n'));
        node.send(lines.toString());
        node.awaitCount("xxx", 2000L * (burst + 1));
      }
      var stopped = new AtomicInteger();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 64; i++) {
          var _ =
              threads.submit(() -> {
                var answer = node.request("GET", "/query?format=json&last=100000&q=xxx");
                if (answer.statusCode() == 200
                    && answer.body().contains("the limit of memory for the newest records")) {
                  stopped.incrementAndGet();
                }
                return answer;
              });
        }
      }
      assertThat(stopped).hasValue(64);
      assertThat(node.count("xxx")).isEqualTo(40_000);
      assertThat(node.program().err()).doesNotContain("OutOfMemory");
    }
  }

  @Test
  void fullDiskPausesSendersOfBothModesUntilThereIsSpace() throws Exception {
    try (SmallDisk disk = SmallDisk.orSkip(folder);
        NodeProcess node = NodeProcess.start(disk.path());
        AcknowledgedLoad load = AcknowledgedLoad.start("disk", node.fastPort());
        AcknowledgedLoad durable = AcknowledgedLoad.start("forced", node.durablePort())) {
      RawLines lines = RawLines.start("line", node.durablePort());
      load.awaitAcknowledged(1000);
      durable.awaitAcknowledged(1000);
      disk.fill();
      await().until(() -> node.metric("cordwood_ingest_pauses_total{reason=\"disk\"}") > 0);
      long stored = load.acknowledged();
      assertThat(node.count("disk ")).isLessThanOrEqualTo(load.sent());
      assertThat(node.request("GET", "/metrics").statusCode()).isEqualTo(200);
      disk.free();
      long freed = System.nanoTime();
      load.awaitAcknowledged(stored + 2000);
      durable.awaitAcknowledged(durable.acknowledged() + 2000);
      System.out.printf(
          "ExhaustedMachineIT: 2,000 records more %d ms after there was space%n",
          Duration.ofNanos(System.nanoTime() - freed).toMillis());
      load.assertFound(node, load.finish());
      durable.assertFound(node, durable.finish());
      lines.end();
      node.awaitCount("line ", lines.acknowledged());
      assertThat(lines.countFoundIn(node)).isPositive();
      node.program().awaitErr("reserve");
      assertThat(node.program().err()).doesNotContain("No space left");
    }
  }

  @Test
  void fullDiskRefusesUploadsUntilThereIsSpace() throws Exception {
    try (SmallDisk disk = SmallDisk.orSkip(folder);
        NodeProcess node = NodeProcess.start(disk.path());
        ForwardedLoad load = ForwardedLoad.startBulk("in bulk", node)) {
      assertThat(node.upload("before\n")).isEqualTo("ack 1\n");
      disk.fill();
      String refusal = "the disk's reserve is reached; try later, or another node";
      await().until(() -> node.upload("while\n").equals("error: " + refusal + "\n"));
      String uploads = "cordwood_ingest_uploads_total{outcome=\"disk_full\"}";
      double refused = node.metric(uploads);
      await().until(() -> node.metric(uploads) > refused);
      assertThat(disk.leftBytes()).isPositive();
      disk.free();
      await().until(() -> node.upload("after\n").equals("ack 1\n"));
      load.finish();
      load.assertFound(node);
      assertThat(node.count("before")).isOne();
      assertThat(node.count("after")).isOne();
      node.program().awaitErr("reserve");
      assertThat(node.program().err()).doesNotContain("No space left");
    }
  }

  @Test
  void memoryStaysBoundedWhileThreeHundredMegabytesComeIn() throws IOException {
    long lines = 0;
    // Hot blocks would count as the node's memory, which Linux may take at any time.
    try (NodeProcess node = NodeProcess.startBy(ALL_COMPILERS, folder, "--hot-size", "0")) {
      var random = new SplittableRandom(3);
      try (Sender sender = node.connect()) {
        for (long bytes = 0; bytes < 300 * 1_000_000L; ) {
          byte[] block = block(random);
          sender.send(block);
          bytes += block.length;
          lines += LINES_A_BLOCK;
        }
        sender.end();
      }
      await().until(() -> node.metric("cordwood_ingest_segments") == 0);
      node.awaitCount("memory ", lines);
      assertThat(node.count("memory ")).isEqualTo(lines);
      assertThat(node.program().peakMemoryBytes()).isLessThanOrEqualTo(512L * MIB);
    }
  }

  /** About a megabyte, which compresses as logs do. */
  private static byte[] block(SplittableRandom random) {
    var text = new StringBuilder(LINES_A_BLOCK * 130);
    for (int i = 0; i < LINES_A_BLOCK; i++) {
      text.append("2026-01-01T00:00:00 INFO memory request=");
      text.append(Long.toHexString(random.nextLong()))
          .append(" user=")
          .append(random.nextInt(5000));
      text.append(" took ")
          .append(random.nextInt(900))
          .append(" ms, status 200, path /api/v1/items/");
      text.append(random.nextInt(100_000)).append(" size ").append(random.nextInt()).append('\n');
    }
    return text.toString().getBytes(US_ASCII);
  }
}
