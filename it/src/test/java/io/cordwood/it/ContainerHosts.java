package io.cordwood.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Network.Ipam;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * Hosts that are containers of the image of {@code Dockerfile}, which is built here from the jar
 * that the build made. The images that it begins with are used if the Docker daemon has them, and
 * never pulled: {@code -Dcordwood.it.image.jdk=NAME}, by default {@value #USUAL_JDK}, and {@code
 * -Dcordwood.it.image.base=NAME}, by default {@value #USUAL_BASE}.
 *
 * <p>Each container is on two networks: one of the cluster, from which it can be cut off, and the
 * usual one, by which the test reaches the ports that it publishes.
 */
final class ContainerHosts implements Hosts {
  private static final String USUAL_JDK = "eclipse-temurin:25";
  private static final String USUAL_BASE = "debian:bookworm-slim";
  private static final String JDK = System.getProperty("cordwood.it.image.jdk", USUAL_JDK);
  private static final String BASE = System.getProperty("cordwood.it.image.base", USUAL_BASE);
  private static final String IMAGE = "cordwood-it";

  /** Comes after {@code bridge}: Docker publishes ports on the first network by name. */
  private static final String NETWORK = "cordwood-it-";

  private static final AtomicInteger MADE = new AtomicInteger();

  /** No network that {@code it/docker/with-docker} may choose for its bridge. */
  private static final String ADDRESSES = "10.80.77.";

  /** The first address is the bridge's. */
  private static final int FIRST_HOST = 2;

  private final String image;
  private final Network network;
  private final String volumes;
  private final List<ContainerHost> hosts = new ArrayList<>();

  private ContainerHosts(String image, Network network, String volumes) {
    this.image = image;
    this.network = network;
    this.volumes = volumes;
  }

  /** Skips the test where there can be none, and says so. */
  static void skipUnlessPossible(String what) {
    Optional<String> whyNot = whyNot();
    whyNot.ifPresent(why -> Skipped.say(what, why));
    assumeTrue(whyNot.isEmpty(), what + ": not tested, since Docker is not here");
  }

  /** Why there are none on this machine; empty if they can be made. */
  static Optional<String> whyNot() {
    try {
      if (!DockerClientFactory.instance().isDockerAvailable()) {
        return Optional.of("no Docker daemon answers");
      }
      for (String image : List.of(JDK, BASE)) {
        DockerClientFactory.instance().client().inspectImageCmd(image).exec();
      }
      return Optional.empty();
    } catch (DockerException e) {
      return Optional.of(
          "no images " + JDK + " and " + BASE + "; none is pulled: " + e.getMessage());
    } catch (RuntimeException e) {
      // From within a container it looks for its host by an image of its own, which is not here.
      return Optional.of("a Docker daemon is here, and cannot be used: " + e.getMessage());
    }
  }

  /** The image that ours begins with. */
  static String baseImage() {
    return BASE;
  }

  /** Builds the image; its name. One process does, and the others find its layers. */
  static String image() throws IOException {
    String jdk = "JDK=" + JDK;
    String base = "BASE=" + BASE;
    String arg = "--build-arg";
    Path lockFile = Path.of("target", "image.lock");
    try (var channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      Tool.run("docker", "build", arg, jdk, arg, base, arg, "PROGRAMS=built", "-t", IMAGE, "..");
    }
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
            .build(),
        name + "-");
  }

  @Override
  public Host add(String name) throws IOException {
    String address = ADDRESSES + (FIRST_HOST + hosts.size());
    var host = new ContainerHost(name, address, network.getId(), image, volumes + hosts.size());
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
