package io.cordwood.it;

import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A node of the {@link HuntedVerdictsIT}, whether it runs or not. One thread harms it, any may ask.
 */
final class HuntedNode {
  final int number;
  final boolean isStore;
  private final Host host;
  private final Optional<ClusterTls> tls;
  private final Optional<HuntedBucket> bucket;
  private volatile int gossipPort = FreePorts.next();
  private volatile int apiPort = FreePorts.next();
  private final int durablePort = FreePorts.next();
  private final List<String> peers = new ArrayList<>();
  private volatile boolean running;

  /**
   * @param bucket of the cluster, of a node that runs on this machine
   */
  HuntedNode(
      int number,
      boolean isStore,
      Host host,
      Optional<ClusterTls> tls,
      Optional<HuntedBucket> bucket) {
    this.number = number;
    this.isStore = isStore;
    this.host = host;
    this.tls = tls;
    this.bucket = bucket;
    bucket.ifPresent(its -> {
      its.knows(host.address(), this);
      ((NamespaceHost) host).install(its.launcher());
    });
  }

  /** Says who the others are, before the first start. */
  void knows(List<HuntedNode> all) {
    all.forEach(other -> peers.add("--peer=" + other.host.reach(other.gossipPort)));
  }

  private String[] flags() {
    List<String> flags = new ArrayList<>(peers);
    tls.ifPresent(its -> flags.addAll(its.flags(host)));
    bucket.ifPresent(its -> flags.addAll(its.flags(isStore)));
    flags.add("--gossip-profile=local");
    flags.add("--gossip-port=" + gossipPort);
    flags.add("--api-port=" + apiPort);
    flags.addAll(
        isStore
            ? List.of("--replication-factor=2", "--repair-after=3s")
            : List.of(
                "--durable-port=" + durablePort,
                "--flush-age=500ms",
                "--fast-port=" + FreePorts.next(),
                "--bulk-port=" + FreePorts.next()));
    return flags.toArray(String[]::new);
  }

  /** Whether there is a process, which may be paused. */
  boolean isRunning() {
    return running;
  }

  void start() throws IOException {
    host.start(isStore ? "store" : "ingest", flags());
    running = true;
  }

  void kill() throws IOException {
    running = false;
    host.kill();
  }

  void stop() throws IOException {
    running = false;
    host.stop();
  }

  void pause() throws IOException {
    host.pause();
  }

  void resume() throws IOException {
    host.resume();
  }

  /** Somebody else at its address, and whoever was there again; while it does not run. */
  void keepDataIn(String name) {
    ((ProcessHost) host).keepDataIn(name);
  }

  boolean canFill() {
    return ((ProcessHost) host).canFill();
  }

  void fill(long leftBytes) throws IOException {
    ((ProcessHost) host).fill(leftBytes);
  }

  void free() throws IOException {
    ((ProcessHost) host).free();
  }

  /** It has lost its disk, and so its id. */
  void wipe() throws IOException {
    host.wipe();
  }

  /** From its next start on it is where no {@code --peer} names it. */
  void move() {
    gossipPort = FreePorts.next();
    apiPort = FreePorts.next();
  }

  /** Its file of known members; of a node that runs on this machine. */
  Path members() {
    return file("members");
  }

  /** Whether some of its records may be in the bucket alone. */
  boolean hasEvicted() {
    return Files.exists(file("store/evicted"));
  }

  /** Whether an object of the bucket stays known to it. */
  boolean knowsOf(String key) {
    try (Stream<String> names = Files.lines(file("cold/names"), StandardCharsets.ISO_8859_1)) {
      return names.anyMatch(line -> line.startsWith(key + " "));
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /** It has never seen an object of the bucket; while it does not run. */
  void forgetBucket() throws IOException {
    Files.deleteIfExists(file("cold/names"));
  }

  private Path file(String name) {
    return ((ProcessHost) host).data().resolve(name);
  }

  void dropTo(HuntedNode other) throws IOException {
    host.dropTo(other.host);
  }

  void deliverTo(HuntedNode other) throws IOException {
    host.deliverTo(other.host);
  }

  Sender sender() throws IOException {
    HostPort to = host.reach(durablePort);
    return tls.isPresent() ? tls.get().sender(to) : new Sender(to);
  }

  Answer ask(String path) throws IOException {
    return tls.isPresent()
        ? tls.get().ask(host.address(), apiPort, path)
        : Answer.get(host.address(), apiPort, path);
  }
}
