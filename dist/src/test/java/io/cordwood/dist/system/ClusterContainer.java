package io.cordwood.dist.system;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.IsRunningStartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** A container that publishes its ports at known places, and is prepared before it starts. */
final class ClusterContainer extends GenericContainer<ClusterContainer> {
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
    withStartupCheckStrategy(new IsRunningStartupCheckStrategy());
    waitingFor(Wait.forLogMessage(".*is ready after.*\\n", 1).withStartupTimeout(Program.LONG));
    published.forEach((inside, outside) -> addFixedExposedPort(outside, inside));
  }

  @Override
  protected void containerIsCreated(String containerId) {
    prepare.accept(containerId);
  }
}
