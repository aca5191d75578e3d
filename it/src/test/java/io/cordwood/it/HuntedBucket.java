package io.cordwood.it;

import com.sun.net.httpserver.HttpExchange;
import io.cordwood.common.bucket.S3Server;
import io.cordwood.common.bucket.S3Server.Fault;
import io.cordwood.dist.server.BriefBucketNode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The bucket of a hunted cluster: a folder that is mounted, or a server of S3. One thread makes its
 * troubles; each ends with {@link #heal}. Nodes use it by the launcher that is here, since their
 * times for it are seconds.
 */
final class HuntedBucket implements S3Server.Trouble, AutoCloseable {
  private static final List<Fault> FAILURES =
      List.of(Fault.SLOW_DOWN, Fault.INTERNAL, Fault.INTERNAL_AND_DONE, Fault.CUT, Fault.HALF);

  private static final List<Fault> FALSE_ANSWERS =
      List.of(Fault.ONLY_SAID, Fault.FLIPPED, Fault.OTHER_RANGE, Fault.NO_RANGE, Fault.FIRST_PAGE);

  private static final String PREFIX = "hunt";
  private static final String MANIFESTS = PREFIX + "/named/";
  private static final int MOST_MILLIS = 1000;

  /** Who lists objects has listed manifests before, by less than this, paused or not. */
  private static final Duration LONGEST_LIST = Duration.ofSeconds(15);

  private final Path mount;
  private final Path unmounted;
  private final Path launcher;
  private final String place;
  private final SplittableRandom random;
  private final Optional<S3Server> server;
  private final Map<String, HuntedNode> nodes = new ConcurrentHashMap<>();
  private volatile State state = State.WELL;
  private volatile List<Fault> faults = List.of();
  private volatile int archived;
  private volatile Instant manifestsHidden = Instant.EPOCH;

  /** What is wrong with it, if anything. */
  enum State {
    WELL,
    /** Nobody gets an answer. */
    AWAY,
    /** Many requests fail, and some of those did what they were to do. */
    FAILS,
    /** Some answers have other bytes, or are for something that was not done. */
    FALSE_ANSWERS,
    /** Requests take up to a second. */
    SLOW,
    /** Lists lack some of what the node knows that asks, or what it is told by manifests. */
    LISTS_LACK_KEYS,
    /** Lists lack some manifests. */
    LISTS_LACK_MANIFESTS,
    /** Some objects and manifests are listed, and have to be brought back before they are read. */
    SOME_ARCHIVED
  }

  /**
   * @param folder an empty one
   * @param at where nodes reach a server; a folder is used if there is none
   */
  HuntedBucket(Path folder, Optional<InetAddress> at, SplittableRandom random) throws IOException {
    this.random = random;
    mount = Files.createDirectory(folder.resolve("mount"));
    unmounted = folder.resolve("unmounted");
    server = at.isPresent() ? Optional.of(new S3Server(at.get(), this)) : Optional.empty();
    place = server.map(it -> it.url(PREFIX)).orElse(mount.resolve("cold").toUri().toString());
    launcher = folder.resolve("launcher");
    Files.writeString(launcher, script());
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  private static String script() throws IOException {
    var text = new StringBuilder("#!/bin/sh\n");
    S3Server.environment()
        .forEach((name, value) -> text.append("export %s='%s'\n".formatted(name, value)));
    return text.append(
            """
            exec '%s/bin/java' -XX:+UnlockExperimentalVMOptions -XX:+EnableVectorSupport \\
              -XX:+UseSerialGC --add-exports java.base/jdk.internal.module=ALL-UNNAMED \\
              --enable-native-access=ALL-UNNAMED -Dio.netty.leakDetection.level=disabled \\
              -Xlog:disable -Xlog:all=error:stderr $CORDWOOD_JAVA_OPTS \\
              -cp '%s:%s' %s "$@"
            """
                .formatted(
                    System.getProperty("java.home"),
                    testClasses(),
                    Program.JARS.resolve("cordwood.jar"),
                    BriefBucketNode.class.getName()))
        .toString();
  }

  private static String testClasses() {
    return BriefBucketNode.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  /** Instead of the one that users have. */
  Path launcher() {
    return launcher;
  }

  /** Of a node of the cluster. */
  List<String> flags(boolean isStore) {
    List<String> flags = new ArrayList<>(List.of("--cold=" + place));
    if (isStore) {
      long seconds = BriefBucketNode.TIMES.proof().toSeconds();
      flags.add("--cold-after=0s");
      flags.add("--cold-evict-after=" + seconds + "s");
    }
    return flags;
  }

  /** Says who asks from where. */
  void knows(String address, HuntedNode node) {
    nodes.put(address, node);
  }

  /** Begins; a folder can only be away. */
  void happens(State next) throws IOException {
    if (server.isEmpty()) {
      Files.move(mount, unmounted);
      state = State.AWAY;
      return;
    }
    if (next == State.LISTS_LACK_MANIFESTS) {
      manifestsHidden = Instant.MAX;
    }
    faults =
        switch (next) {
          case AWAY -> List.of(Fault.CUT);
          case FAILS -> FAILURES;
          case FALSE_ANSWERS -> FALSE_ANSWERS;
          default -> List.of();
        };
    archived = draw(Integer.MAX_VALUE);
    state = next;
  }

  /** What was put where nothing was mounted is hidden by the mount. */
  void heal() throws IOException {
    if (server.isEmpty() && state == State.AWAY) {
      if (Files.exists(mount)) {
        Files.move(mount, mount.resolveSibling("hidden" + random.nextLong()));
      }
      Files.move(unmounted, mount);
    }
    if (state == State.LISTS_LACK_MANIFESTS) {
      manifestsHidden = Instant.now();
    }
    state = State.WELL;
  }

  private synchronized int draw(int bound) {
    return random.nextInt(bound);
  }

  @Override
  public Optional<Fault> fault(HttpExchange request) {
    return switch (state) {
      case WELL, LISTS_LACK_KEYS, LISTS_LACK_MANIFESTS -> Optional.empty();
      case AWAY -> Optional.of(Fault.CUT);
      case SLOW -> {
        LockSupport.parkNanos(draw(MOST_MILLIS) * 1_000_000L);
        yield Optional.empty();
      }
      case FAILS -> one(3);
      case SOME_ARCHIVED ->
          Optional.of(Fault.ARCHIVED).filter(_ -> !isList(request) && isArchived(request));
      case FALSE_ANSWERS -> one(6).filter(it -> it != Fault.FLIPPED || !isList(request));
    };
  }

  private Optional<Fault> one(int of) {
    List<Fault> all = faults;
    return all.isEmpty() || draw(of) > 0
        ? Optional.empty()
        : Optional.of(all.get(draw(all.size())));
  }

  /** Its bytes have no sum: what is flipped in a name is another name. */
  private static boolean isList(HttpExchange request) {
    return String.valueOf(request.getRequestURI().getRawQuery()).contains("list-type=");
  }

  /** Of four in one, the same ones until it is healed. */
  private boolean isArchived(HttpExchange request) {
    String path = request.getRequestURI().getPath();
    return request.getRequestMethod().equals("GET") && (path.hashCode() ^ archived) % 4 == 0;
  }

  @Override
  public boolean hides(HttpExchange list, String key) {
    return switch (state) {
      case LISTS_LACK_MANIFESTS -> key.startsWith(MANIFESTS) && draw(2) == 0;
      case LISTS_LACK_KEYS -> key.endsWith(".cws") && draw(2) == 0 && isMissed(list, key);
      default -> false;
    };
  }

  /** A node that has never seen a name, nor was told it, can only believe the list. */
  private boolean isMissed(HttpExchange list, String key) {
    String name = key.substring(PREFIX.length() + 1);
    Instant before = Instant.now().minus(LONGEST_LIST);
    if (manifestsHidden.isBefore(before)
        && server.orElseThrow().texts(MANIFESTS, before).anyMatch(it -> it.contains(name + " "))) {
      return true;
    }
    HuntedNode node = nodes.get(list.getRemoteAddress().getAddress().getHostAddress());
    return node != null && node.knowsOf(name);
  }

  @Override
  public void close() {
    server.ifPresent(S3Server::close);
  }
}
