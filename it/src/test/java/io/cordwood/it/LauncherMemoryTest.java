package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the launcher sizes a node, by what the kernel says of a machine and its control groups. */
final class LauncherMemoryTest {
  private static final Path RULE = Path.of("../.mvn/memory.sh");

  @TempDir private Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void machineOf(long mebibytes) throws IOException {
    write(
        "proc/meminfo", "MemTotal:       %d kB\nMemFree:        1 kB\n".formatted(mebibytes << 10));
  }

  private String sizes() throws IOException {
    return Tool.run(
            "sh",
            "-euc",
            ". \"$1\"; size_memory \"$2\"; echo $machine_mib $heap_mib $buffers_mib",
            "sh",
            RULE.toString(),
            root.toString())
        .strip();
  }

  /** The table in {@code docs/install.md}. */
  @ParameterizedTest
  @CsvSource({
    "256,128,48",
    "512,256,96",
    "1024,256,192",
    "2048,256,192",
    "8192,1024,768",
    "16384,2048,1536",
    "32768,4096,3072",
    "1048576,4096,3072"
  })
  void aNodeTakesAShareOfTheMachine(long machine, long heap, long buffers) throws IOException {
    machineOf(machine);
    assertThat(sizes()).isEqualTo("%d %d %d".formatted(machine, heap, buffers));
  }

  @Test
  void theLeastLimitOfAllGroupsCounts() throws IOException {
    machineOf(65536);
    write("proc/self/cgroup", "0::/system.slice/cordwood@store.service\n");
    write("sys/fs/cgroup/system.slice/memory.max", "8589934592\n");
    write("sys/fs/cgroup/system.slice/cordwood@store.service/memory.max", "max\n");
    assertThat(sizes()).isEqualTo("8192 1024 768");
    write("sys/fs/cgroup/system.slice/cordwood@store.service/memory.max", "536870912\n");
    assertThat(sizes()).isEqualTo("512 256 96");
  }

  @Test
  void aContainersLimitIsThatOfItsRoot() throws IOException {
    machineOf(65536);
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/memory.max", "1073741824\n");
    assertThat(sizes()).isEqualTo("1024 256 192");
  }

  @Test
  void limitsOfTheFirstVersionCountUnlessTheyAreNone() throws IOException {
    machineOf(4096);
    write("proc/self/cgroup", "5:memory:/docker/0123\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(sizes()).isEqualTo("4096 512 384");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
    assertThat(sizes()).isEqualTo("512 256 96");
  }

  /** As systemd before 2019 has it, with MemoryMax= or a slice that is limited. */
  @Test
  void theLeastLimitOfAllGroupsOfTheFirstVersionCounts() throws IOException {
    machineOf(65536);
    String groups = "sys/fs/cgroup/memory/";
    write(
        "proc/self/cgroup",
        "9:name=systemd:/a\n4:cpu,memory:/system.slice/cordwood@store.service\n0::/a\n");
    write(groups + "memory.limit_in_bytes", "9223372036854771712\n");
    write(groups + "system.slice/memory.limit_in_bytes", "8589934592\n");
    assertThat(sizes()).isEqualTo("8192 1024 768");
    write(groups + "system.slice/cordwood@store.service/memory.limit_in_bytes", "536870912\n");
    assertThat(sizes()).isEqualTo("512 256 96");
  }

  @Test
  void whatCannotBeReadChangesNothing() throws IOException {
    machineOf(4096);
    write("proc/self/cgroup", "\n0::nowhere\n");
    write("sys/fs/cgroup/memory.max", "");
    assertThat(sizes()).isEqualTo("4096 512 384");
    write("sys/fs/cgroup/memory.max", "some\n");
    assertThat(sizes()).isEqualTo("4096 512 384");
  }
}
