package io.cordwood.dist.system;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Network.Ipam;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * Hosts that are containers of the image of {@code dist/Dockerfile}, which is built here from the
 * jar. The base image is used if the Docker daemon has it and is never pulled: {@code
 * -Dcordwood.it.image=NAME}, by default {@value #BASE}.
 *
 * <p>Each container is on two networks: one of the cluster, from which it can be cut off, and the
 * usual one, by which the test reaches the ports that it publishes.
 */
final class ContainerHosts implements Hosts {
  private static final String BASE = "eclipse-temurin:25-jre";
  private static final String IMAGE = "cordwood-it";

  /** Comes after {@code bridge}: Docker publishes ports on the first network by name. */
  private static final String NETWORK = "cordwood-it-";

  private static final AtomicInteger MADE = new AtomicInteger();
  private static final String ADDRESSES = "10.78.77.";

  /** The first address is the bridge's. */
  private static final int FIRST_HOST = 2;

  private final String image;
  private final Network network;
  private final List<ContainerHost> hosts = new ArrayList<>();

  private ContainerHosts(String image, Network network) {
    this.image = image;
    this.network = network;
  }

  /** Skips the test where there can be none, and says so. */
  static void skipUnlessPossible(String what) {
    Optional<String> whyNot = whyNot();
    whyNot.ifPresent(why -> Skipped.say(what, why));
    assumeThat(whyNot).as(what + ": not tested, since Docker is not here").isEmpty();
  }

  /** Why there are none on this machine; empty if they can be made. */
  static Optional<String> whyNot() {
    try {
      if (!DockerClientFactory.instance().isDockerAvailable()) {
        return Optional.of("no Docker daemon answers");
      }
      DockerClientFactory.instance().client().inspectImageCmd(base()).exec();
      return Optional.empty();
    } catch (DockerException e) {
      return Optional.of("no image " + base() + ", and none is pulled: " + e.getMessage());
    } catch (RuntimeException e) {
      // From within a container it looks for its host by an image of its own, which is not here.
      return Optional.of("a Docker daemon is here, and cannot be used: " + e.getMessage());
    }
  }

  private static String base() {
    return System.getProperty("cordwood.it.image", BASE);
  }

  /** Builds the image; its name. */
  static String image() throws IOException {
    Tool.run(
        "docker", "build", "--build-arg", "BASE=" + base(), "-t", IMAGE, "-f", "Dockerfile", "..");
    return IMAGE;
  }

  /** Builds the image, and a network without hosts. */
  static ContainerHosts make() throws IOException {
    String image = image();
    Ipam addresses = new Ipam().withConfig(new Ipam.Config().withSubnet(ADDRESSES + "0/24"));
    String name = NETWORK + ProcessHandle.current().pid() + "-" + MADE.getAndIncrement();
    return new ContainerHosts(
        image,
        Network.builder()
            .createNetworkCmdModifier(make -> make.withName(name).withIpam(addresses))
            .build());
  }

  @Override
  public Host add(String name) throws IOException {
    String address = ADDRESSES + (FIRST_HOST + hosts.size());
    var host = new ContainerHost(name, address, network.getId(), image);
    hosts.add(host);
    return host;
  }

  /** Takes root on the daemon's own machine. */
  @Override
  public boolean canDrop() {
    try {
      var _ = hosts.getFirst().lostPackets();
      return true;
    } catch (IOException e) {
      Skipped.say("packets that are lost between containers", String.valueOf(e.getMessage()));
      return false;
    }
  }

  @Override
  public void close() {
    hosts.forEach(ContainerHost::close);
    network.close();
  }
}
