package io.cordwood.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes of this machine that all have its loopback address, where there can be no {@link
 * NamespaceHosts}. Each is to be told ports of its own; none can be cut off.
 */
final class LoopbackHosts implements Hosts {
  private final Path folder;
  private final List<LoopbackHost> hosts = new ArrayList<>();

  LoopbackHosts(Path folder) {
    this.folder = folder;
  }

  @Override
  public Host add(String name) {
    var added = new LoopbackHost(name, folder.resolve(name));
    hosts.add(added);
    return added;
  }

  @Override
  public boolean canDrop() {
    return false;
  }

  @Override
  public void close() throws IOException {
    for (LoopbackHost host : hosts) {
      host.close();
    }
  }

  private static final class LoopbackHost extends ProcessHost {
    LoopbackHost(String name, Path disk) {
      super(name, "127.0.0.1", disk);
    }

    @Override
    public void start(String role, String... flags) throws IOException {
      List<String> all = new ArrayList<>(List.of(role, "--data", data().toString()));
      all.addAll(List.of(flags));
      started(Program.start(all.toArray(String[]::new)));
    }

    @Override
    public void cutOff() {
      throw cannot();
    }

    @Override
    public void reconnect() {
      throw cannot();
    }

    @Override
    public void dropTo(Host other) {
      throw cannot();
    }

    @Override
    public void deliverTo(Host other) {
      throw cannot();
    }

    private static UnsupportedOperationException cannot() {
      return new UnsupportedOperationException("all hosts have one address");
    }
  }
}
