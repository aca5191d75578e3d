package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The image of {@code Dockerfile} as its users run it; skipped where Docker is not. */
final class ImageIT {
  private static final String VOLUME = "cordwood-it-" + ProcessHandle.current().pid();

  private final List<String> containers = new ArrayList<>();
  private String image;

  @BeforeEach
  void build() throws IOException {
    ContainerHosts.skipUnlessPossible("the image");
    image = ContainerHosts.image();
  }

  @AfterEach
  void remove() throws IOException {
    for (String container : containers) {
      Tool.run("docker", "rm", "--force", container);
    }
    if (!containers.isEmpty()) {
      Tool.run("docker", "volume", "rm", VOLUME);
    }
  }

  @Test
  void nodeIsHealthyRunsAsAUserAndFindsItsVolumeAgainInAnotherContainer() throws IOException {
    String first = runNode();
    String api = "localhost:" + ClusterNode.API_PORT;
    assertThat(inspect(first, "{{.Config.User}}")).isEqualTo("7650:7650");
    assertThat(Tool.run("docker", "exec", first, "cat", "/proc/1/maps"))
        .as("what archive-classes wrote is used")
        .contains("/opt/cordwood/node.jsa");
    try (Sender sender = new Sender(published(first, 7651).port())) {
      sender.send("one record\n").end();
    }
    awaitFound(first, "one record");
    assertThat(
            Tool.run(
                "docker", "exec", first, "/opt/cordwood/cordwood", "grep", "--node", api, "one"))
        .isEqualTo("one record\n");
    Tool.run("docker", "stop", "-t", Long.toString(Program.LONG.toSeconds()), first);
    assertThat(inspect(first, "{{.State.ExitCode}}")).isEqualTo("143");
    awaitFound(runNode(), "one record");
  }

  private String runNode() throws IOException {
    String id =
        Tool.run(
                "docker",
                "run",
                "--detach",
                "--memory=512m",
                "--health-interval=1s",
                "--volume=" + VOLUME + ":/data",
                "--publish=127.0.0.1::7650",
                "--publish=127.0.0.1::7651",
                image,
                "ingeststore",
                "--insecure")
            .lines()
            .reduce((_, last) -> last)
            .orElseThrow();
    containers.add(id);
    await()
        .alias("the health check passes")
        .until(() -> inspect(id, "{{.State.Health.Status}}").equals("healthy"));
    return id;
  }

  private static void awaitFound(String container, String record) throws IOException {
    var node = new NodeApi(published(container, ClusterNode.API_PORT));
    await().until(() -> node.find("").equals(List.of(record)));
  }

  private static HostPort published(String container, int port) throws IOException {
    String at = Tool.run("docker", "port", container, Integer.toString(port)).strip();
    return HostPort.parse(at.lines().findFirst().orElseThrow(), 0);
  }

  private static String inspect(String container, String form) throws IOException {
    return Tool.run("docker", "inspect", "--format", form, container).strip();
  }
}
