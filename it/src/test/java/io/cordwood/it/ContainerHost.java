package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerNetwork;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * A container in which a node runs, with its data in a volume. It is made by the first start, and
 * anew by one with other flags and by the first after its disk was wiped; its ports are published
 * where they were each time.
 */
final class ContainerHost implements Host {
  private static final int[] PORTS = {
    ClusterNode.API_PORT, ClusterNode.DURABLE_PORT, ClusterNode.GOSSIP_PORT
  };

  private final String name;
  private final String address;
  private final String networkId;
  private final String image;
  private final Map<Integer, Integer> published = new HashMap<>();
  private final String volume;
  private List<String> command = List.of();
  private @Nullable Path lent;
  private @Nullable ClusterContainer container;
  private String said = "";

  /**
   * @param volume name of one that is not there yet
   */
  ContainerHost(String name, String address, String networkId, String image, String volume)
      throws IOException {
    this.name = name;
    this.address = address;
    this.networkId = networkId;
    this.image = image;
    this.volume = volume;
    for (int port : PORTS) {
      published.put(port, FreePorts.next());
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public HostPort reach(int port) {
    Integer at = published.get(port);
    if (at == null) {
      throw new AssertionError("expected a published port, found " + port);
    }
    return new HostPort(DockerClientFactory.instance().dockerHostIpAddress(), at);
  }

  @Override
  public Path lend(Path folder) {
    lent = folder;
    return Path.of(ClusterContainer.LENT);
  }

  @Override
  public void start(String role, String... flags) throws IOException {
    List<String> now = new ArrayList<>(List.of(role, "--advertise", address, "--insecure"));
    now.addAll(List.of(flags));
    if (!now.equals(command)) {
      remove();
      command = now;
    }
    if (container == null) {
      var made = new ClusterContainer(image, command, published, id -> connect(id));
      made.keepDataIn(volume);
      if (lent != null) {
        made.lend(lent);
      }
      container = made;
      made.start();
    } else {
      client().startContainerCmd(id()).exec();
    }
  }

  @Override
  public void kill() {
    client().killContainerCmd(id()).exec();
  }

  @Override
  public void stop() {
    client().stopContainerCmd(id()).withTimeout((int) Program.LONG.toSeconds()).exec();
  }

  @Override
  public void pause() {
    // A crowded machine may not freeze all of its threads in the time that the engine gives it.
    await()
        .ignoreException(InternalServerErrorException.class)
        .until(() -> {
          client().pauseContainerCmd(id()).exec();
          return true;
        });
  }

  @Override
  public void resume() {
    client().unpauseContainerCmd(id()).exec();
  }

  @Override
  public void wipe() {
    close();
  }

  @Override
  public void cutOff() {
    client()
        .disconnectFromNetworkCmd()
        .withNetworkId(networkId)
        .withContainerId(id())
        .withForce(true)
        .exec();
  }

  @Override
  public void reconnect() {
    connect(id());
  }

  private void connect(String containerId) {
    var fixed = new ContainerNetwork.Ipam().withIpv4Address(address);
    client()
        .connectToNetworkCmd()
        .withNetworkId(networkId)
        .withContainerId(containerId)
        .withContainerNetwork(new ContainerNetwork().withIpamConfig(fixed))
        .exec();
  }

  @Override
  public void dropTo(Host other) throws IOException {
    lostPackets().dropTo(other.address());
  }

  @Override
  public void deliverTo(Host other) throws IOException {
    lostPackets().deliverTo(other.address());
  }

  /**
   * By the machine's own {@code ip}: the image has none.
   *
   * @throws IOException if its network cannot be entered, for lack of rights or by being elsewhere
   */
  LostPackets lostPackets() throws IOException {
    Long pid = client().inspectContainerCmd(id()).exec().getState().getPidLong();
    List<String> ip = List.of("nsenter", "--net=/proc/" + pid + "/ns/net", "ip");
    List<String> addresses = new ArrayList<>(ip);
    addresses.addAll(List.of("-o", "-4", "address"));
    String device =
        Tool.run(addresses.toArray(String[]::new))
            .lines()
            .map(line -> line.split(" +", 5))
            .filter(columns -> columns[3].startsWith(address + "/"))
            .map(columns -> columns[1])
            .findFirst()
            .orElseThrow(() -> new AssertionError(name + " has no device with " + address));
    return new LostPackets(ip, device);
  }

  @Override
  public String says() {
    return container == null ? said : said + name + ":\n" + container.getLogs();
  }

  private String id() {
    if (container == null) {
      throw new AssertionError("no node was started here");
    }
    return container.getContainerId();
  }

  private static DockerClient client() {
    return DockerClientFactory.instance().client();
  }

  private void remove() {
    if (container != null) {
      said = says();
      container.stop();
      container = null;
    }
  }

  void close() {
    remove();
    try {
      client().removeVolumeCmd(volume).exec();
    } catch (NotFoundException e) {
      // No node was started here.
    }
  }
}
