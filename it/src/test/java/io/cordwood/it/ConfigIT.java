package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's configuration file, and the commands that show and check one. */
final class ConfigIT {
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("cordwood.properties"), text);
  }

  @Test
  void nodeStartsWithWhatItsFileSays() throws IOException {
    Path file = file("retention = 30d\ntopic = shop # of lines without a preamble\n");
    try (NodeProcess node = NodeProcess.start(folder, "--config", file.toString())) {
      node.send("one\n");
      node.awaitRecords(1);
      assertThat(node.grep("--topic", "shop", "-c", "").text()).isEqualTo("1\n");
      for (String flag : List.of("--retention=720h", "--topic=shop", "--config=" + file)) {
        node.program().awaitErr(flag);
      }
    }
  }

  @Test
  void whatIsPrintedIsTheSameConfiguration() throws IOException {
    Path file = file("api-port = 7660\ncommit-delay = 1500ms\nlease = 90m\nmax-store-size=2GiB");
    String printed =
        Program.run("config", "print", "--config", file.toString(), "--bind=127.0.0.2").text();
    assertThat(printed)
        .containsPattern("(?m)^api-port = 7660 +# api-port in " + file + " line 1$")
        .containsPattern("(?m)^commit-delay = 1500ms +# commit-delay in " + file + " line 2$")
        .containsPattern("(?m)^bind = 127.0.0.2 +# command line$")
        .containsPattern("(?m)^# advertise = +# default$")
        .containsPattern("(?m)^retention = [0-9]+h +# default$");
    Path again = Files.writeString(folder.resolve("again"), printed);
    String settings = " +#.*";
    assertThat(Program.run("config", "print", "--config=" + again).text().replaceAll(settings, ""))
        .isEqualTo(printed.replaceAll(settings, ""));
  }

  @Test
  void fileIsCheckedAsTheNodeDoes() throws IOException {
    String file = file("retention = 30d\nquery.api-port = 7660\n").toString();
    assertThat(Program.run("config", "check", file).text()).isEqualTo(file + ": 2 settings, ok\n");
    file("flush-size = 1\n");
    refused("--flush-size: expected 1MiB to 1GiB, found 1 (flush-size in " + file, file);
    file("topic = a\n");
    refused("unknown key 'topic' of 'cordwood query'", "--role=query", file);
    file("query.api-prot = 1\n");
    refused(file + " line 1: unknown option '--api-prot=1'; did you mean --api-port?", file);
  }

  private static void refused(String expected, String... arguments) throws IOException {
    String[] all = new String[arguments.length + 2];
    all[0] = "config";
    all[1] = "check";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    Program.Result result = Program.run(all);
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors().lines()).singleElement().asString().contains(expected);
  }

  @Test
  void nodeWithAFileOfRandomBytesSaysSoInOneLine() throws IOException {
    Path file = Files.write(folder.resolve("random"), new byte[] {(byte) 0x80, 0, 7, (byte) 0xFF});
    Program.Result result =
        Program.run(NodeProcess.arguments("ingeststore", folder, "--config=" + file));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors().lines())
        .singleElement()
        .asString()
        .contains(file + " line 1: expected UTF-8, found the byte 0x80");
  }
}
