package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.model.ContainerNetwork;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * A container in which a node runs. It is made by the first start, and anew by the first after its
 * disk was wiped; its ports are published where they were each time.
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
  private @Nullable ClusterContainer container;

  ContainerHost(String name, String address, String networkId, String image) throws IOException {
    this.name = name;
    this.address = address;
    this.networkId = networkId;
    this.image = image;
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
  public void start(String role, String... flags) {
    if (container == null) {
      List<String> command = new ArrayList<>(List.of(role, "--advertise", address, "--insecure"));
      command.addAll(List.of(flags));
      var made = new ClusterContainer(image, command, published, id -> connect(id));
      container = made;
      made.start();
    } else {
      client().startContainerCmd(id()).exec();
    }
    NodeApi api = new NodeApi(reach(ClusterNode.API_PORT));
    await()
        .alias(name + " is ready")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(api::isReady);
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
    container = null;
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
    return container == null ? "" : name + ":\n" + container.getLogs();
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

  void close() {
    if (container != null) {
      container.stop();
    }
  }
}
