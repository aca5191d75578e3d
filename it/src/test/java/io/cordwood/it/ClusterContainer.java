package io.cordwood.it;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.IsRunningStartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** A container that publishes its ports at known places, and is prepared before it starts. */
final class ClusterContainer extends GenericContainer<ClusterContainer> {
  /** The smallest that is said to be enough for a node. */
  private static final long MEMORY_BYTES = 512L << 20;

  /** Whoever starts it asks its API, and so learns more than logs tell. */
  private static final WaitStrategy NOT_HERE =
      new AbstractWaitStrategy() {
        @Override
        protected void waitUntilReady() {}
      };

  /** {@link ImageIT} tries it; its runs would take as much as an idle node does. */
  private static final HealthCheck NO_HEALTH_CHECK = new HealthCheck().withTest(List.of("NONE"));

  private static final String DATA = "/data";

  /** Where the files are that a node is lent. */
  static final String LENT = "/lent";

  /** Readable to a group, and so to a node that runs as a user of its own. */
  private static final int FOR_A_GROUP = 0640;

  private final Consumer<String> prepare;

  /**
   * @param published ports of this machine by ports of the container
   * @param prepare gets the container's id when it is made, and has not started
   */
  ClusterContainer(
      String image,
      List<String> command,
      Map<Integer, Integer> published,
      Consumer<String> prepare) {
    super(DockerImageName.parse(image));
    this.prepare = prepare;
    withCommand(command.toArray(String[]::new));
    withImagePullPolicy(_ -> false);
    withCreateContainerCmdModifier(create -> {
      hostConfig(create).withMemory(MEMORY_BYTES);
      create.withHealthcheck(NO_HEALTH_CHECK);
    });
    withEnv("CORDWOOD_JAVA_OPTS", Program.FOR_SECONDS);
    withStartupCheckStrategy(new IsRunningStartupCheckStrategy().withTimeout(Program.LONG));
    waitingFor(NOT_HERE);
    published.forEach((inside, outside) -> addFixedExposedPort(outside, inside));
  }

  /** Keeps its data when it is removed itself. */
  void keepDataIn(String volume) {
    withCreateContainerCmdModifier(
        create -> hostConfig(create).withBinds(new Bind(volume, new Volume(DATA))));
  }

  /** Copies the files of a folder. */
  void lend(Path folder) throws IOException {
    String group = Files.getAttribute(folder, "unix:gid").toString();
    withCreateContainerCmdModifier(create -> hostConfig(create).withGroupAdd(List.of(group)));
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(file ->
          withCopyFileToContainer(
              MountableFile.forHostPath(file, FOR_A_GROUP), LENT + "/" + file.getFileName()));
    }
  }

  private static HostConfig hostConfig(CreateContainerCmd create) {
    return Objects.requireNonNull(create.getHostConfig());
  }

  @Override
  protected void containerIsCreated(String containerId) {
    prepare.accept(containerId);
  }
}
