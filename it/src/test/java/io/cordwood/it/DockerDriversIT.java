package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers whose output Docker's own drivers send to a node, as the page says, with its own
 * blocks. The daemon is on this machine; skipped where it is not.
 */
final class DockerDriversIT {
  private static final int LINES = 1000;
  private static final Pattern NUMBER = Pattern.compile("number (\\d+) of \\w+\\b");

  /** The same after a restart: a line that is sent again is the same one under the same topic. */
  private static final String TOPIC_FROM = "--topic-from";

  private static final String TOPIC_LABELS = "app,container_name,tag";

  private static final String NAME = "cordwood-it-" + ProcessHandle.current().pid() + "-";

  private final List<Container> containers = new ArrayList<>();
  @TempDir private Path folder;
  private NodeProcess node;

  /** A container that prints what is written to it. */
  private record Container(String driver, String name, Process docker) {
    void print(int from, int to) throws IOException {
      OutputStream in = docker.getOutputStream();
      for (int i = from; i < to; i++) {
        in.write("number %d of %s\n".formatted(i, driver).getBytes(StandardCharsets.UTF_8));
      }
      in.flush();
    }

    void end() throws IOException {
      docker.getOutputStream().close();
      assertThat(docker.onExit().join().exitValue()).as(name).isZero();
    }
  }

  @BeforeEach
  void start() throws IOException {
    ContainerHosts.skipUnlessPossible("Docker's drivers");
    node =
        NodeProcess.start(
            folder,
            TOPIC_FROM,
            TOPIC_LABELS,
            "--fluent-port",
            Integer.toString(FreePorts.next()),
            "--gelf-port",
            Integer.toString(FreePorts.next()),
            "--syslog-port",
            Integer.toString(FreePorts.next()));
  }

  @AfterEach
  void stop() throws IOException {
    for (Container each : containers) {
      each.docker.destroy();
      Tool.run("docker", "rm", "--force", each.name);
    }
    if (node != null) {
      node.close();
    }
  }

  /** Runs a container with the options of the page, which never waits for what is not here. */
  private Container run(String driver) throws IOException {
    String name = NAME + driver;
    String block =
        DocBlock.runBy(DockerDriversIT.class, "senders.md", "--log-driver " + driver).text();
    String options =
        block
            .replace("\\\n", " ")
            .replaceFirst("(alpine|IMAGE)(?s:.*)", "")
            .replace("NODE", "127.0.0.1")
            .replaceAll("\\b1514\\b", Integer.toString(node.port("syslog")))
            .replaceAll("\\b12201\\b", Integer.toString(node.port("gelf")))
            .replaceAll("\\b24224\\b", Integer.toString(node.port("fluent")))
            .replaceAll("\\b7650\\b", Integer.toString(node.apiPort()));
    String command =
        options + " --interactive --network none --name " + name + " $IMAGE cat >/dev/null";
    var builder =
        new ProcessBuilder("sh", "-euc", command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("IMAGE", ContainerHosts.baseImage());
    var container = new Container(driver, name, builder.start());
    containers.add(container);
    return container;
  }

  private List<Integer> lines(Container container) throws IOException {
    return node.find(" of " + container.driver).stream()
        .flatMap(record -> NUMBER.matcher(record).results())
        .map(found -> Integer.valueOf(found.group(1)))
        .toList();
  }

  /** Waits for all lines of a container; a record and its labels as JSON. */
  private String awaitLines(Container container) throws IOException {
    Integer[] all = IntStream.range(0, LINES).boxed().toArray(Integer[]::new);
    await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> assertThat(lines(container)).contains(all));
    assertThat(lines(container)).containsExactlyInAnyOrder(all);
    String query = URLEncoder.encode("number 7 of " + container.driver, StandardCharsets.UTF_8);
    return node.query("format=json&q=" + query).lines().findFirst().orElseThrow();
  }

  @Test
  void allLinesComeWithTheirContainersAsLabelsAndThoseOfFluentdThroughAKill() throws Exception {
    Container fluentd = run("fluentd");
    Container gelf = run("gelf");
    Container syslog = run("syslog");
    Container splunk = run("splunk");
    fluentd.print(0, LINES / 2);
    for (Container each : List.of(gelf, syslog, splunk)) {
      each.print(0, LINES);
      each.end();
    }
    assertThat(awaitLines(gelf))
        .contains("\"topic\":\"" + gelf.name + "\"")
        .contains("\"container_name\":\"" + gelf.name + "\"")
        .contains("\"image_name\":\"" + ContainerHosts.baseImage() + "\"");
    assertThat(awaitLines(syslog)).contains("\"topic\":\"shop\"", "\"app\":\"shop\"");
    assertThat(awaitLines(splunk))
        .contains("\"topic\":\"" + splunk.name + "\"")
        .contains("\"tag\":\"" + splunk.name + "\"", "\"source\":\"stdout\"");
    node.awaitCount(" of fluentd", 1);
    node.kill();
    fluentd.print(LINES / 2, LINES);
    node.close();
    node = NodeProcess.start(folder, node.samePorts(TOPIC_FROM, TOPIC_LABELS));
    assertThat(awaitLines(fluentd))
        .contains("\"container_name\":\"" + fluentd.name + "\"", "\"source\":\"stdout\"")
        .contains("\"tag\":\"shop\"");
    fluentd.end();
  }
}
