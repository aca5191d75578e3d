package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.awaitMet;
import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.ids;
import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node that has lost its memory doubts, until another one that remembers has told it all. */
@Execution(ExecutionMode.CONCURRENT)
final class MemoryTest extends NodesFixture {
  private Path remembering;

  @BeforeEach
  void remember() {
    remembering = folder;
  }

  /** A node whose folder is new, unless it has started before. */
  private Cluster start(String id, int port, HostPort... seeds) throws IOException {
    return start(node(id, Role.INGEST, Role.STORE), port, seeds);
  }

  private Cluster start(NodeInfo node, int port, HostPort... seeds) throws IOException {
    Path begun = folder.resolve(node.nodeId() + ".begun");
    if (Files.notExists(begun)) {
      Files.createFile(begun);
      Cluster.beginMembers(members(node.nodeId()), Filesystem.real());
    }
    var options =
        new ClusterOptions(
            new HostPort("127.0.0.1", port == 0 ? FreePorts.next() : port),
            null,
            List.of(seeds),
            "test",
            ClusterKeys.NONE,
            Nodes.QUICK,
            Optional.of(members(node.nodeId())));
    return nodes.start(node, options, HostPort::resolve);
  }

  private Path members(String id) {
    return remembering.resolve(id);
  }

  private static HostPort at(Cluster cluster) {
    return new HostPort("127.0.0.1", cluster.port());
  }

  private static List<String> gone(Cluster cluster) {
    return cluster.departed().stream().map(gone -> gone.node().nodeId()).sorted().toList();
  }

  private static long nodesIn(Path file) throws IOException {
    return Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).count();
  }

  /** Three nodes of which a names nobody and the others name a; all die once they know. */
  private List<Cluster> threeThatDie() throws IOException {
    Cluster a = start("a", 0);
    Cluster b = start("b", 0, at(a));
    Cluster c = start("c", 0, at(a));
    List<Cluster> all = List.of(a, b, c);
    for (Cluster one : all) {
      eventually().until(() -> one.members(Role.STORE).size() == 3 && one.doubt().isEmpty());
      Path file = members(one.self().nodeId());
      eventually().until(() -> nodesIn(file) == 3);
      eventually().until(() -> Files.readAllLines(file).get(1).startsWith("# past whole"));
    }
    all.forEach(Nodes::kill);
    // What still runs of the dead ones goes on to write to the files that they had.
    remembering = Files.createDirectory(folder.resolve("later"));
    for (Cluster one : all) {
      String id = one.self().nodeId();
      Files.copy(folder.resolve(id), members(id));
    }
    return all;
  }

  @Test
  void aNodeThatLostItsMembersDoubtsUntilOneThatRemembersHasToldItWhoIsGone() throws Exception {
    List<Cluster> dead = threeThatDie();
    Files.delete(members("a"));
    Cluster a = start("a", dead.get(0).port());
    eventually()
        .untilAsserted(() ->
            assertThat(a.doubt())
                .hasValueSatisfying(why ->
                    assertThat(why).startsWith("this node's memory of its cluster is lost (")));
    Nodes.kill(a);
    Cluster again = start("a", a.port());
    again.awaitFirstLook(Duration.ofMillis(100));
    assertThat(again.doubt()).as("after another restart").isPresent();
    start("b", dead.get(1).port(), at(a));
    eventually().until(() -> again.doubt().isEmpty());
    eventually()
        .untilAsserted(() ->
            assertThat(gone(again))
                .as("what b remembers, and nobody has asked")
                .containsExactly("c"));
  }

  @Test
  void aNewNodeDoubtsWithOneThatHasLostItsMemoryAndIsNoProofForIt() throws Exception {
    List<Cluster> dead = threeThatDie();
    Files.write(members("a"), new byte[0]);
    Cluster a = start("a", dead.get(0).port());
    Cluster d = start("d", 0, at(a));
    eventually().until(() -> ids(d, Role.STORE).equals(List.of("a", "d")));
    eventually()
        .untilAsserted(() ->
            assertThat(d.doubt())
                .contains("the node at " + at(a) + " does not remember all of its cluster"));
    assertThat(a.doubt()).isPresent();
    start("c", dead.get(2).port(), at(a));
    for (Cluster one : List.of(a, d)) {
      eventually().until(() -> one.doubt().isEmpty());
      eventually().untilAsserted(() -> assertThat(gone(one)).containsExactly("b"));
    }
  }

  @Test
  void aNodeAloneIsReleasedFromDoubtByAPerson() throws Exception {
    List<Cluster> dead = threeThatDie();
    Files.writeString(members("a"), "garbage");
    Cluster a = start("a", dead.get(0).port());
    eventually().until(() -> a.view().joined());
    assertThat(a.doubt()).isPresent();
    a.forgetUnknown();
    assertThat(a.doubt()).isEmpty();
    eventually().until(() -> Files.readAllLines(members("a")).get(1).startsWith("# past whole"));
    Nodes.kill(a);
    Cluster again = start("a", a.port());
    again.awaitFirstLook(LONG);
    assertThat(again.doubt()).isEmpty();
  }

  @Test
  void whoIsGivenUpIsSoOnAllNodes() throws Exception {
    List<Cluster> dead = threeThatDie();
    Cluster a = start("a", dead.get(0).port());
    Cluster b = start("b", dead.get(1).port(), at(a));
    for (Cluster one : List.of(a, b)) {
      eventually().until(() -> gone(one).equals(List.of("c")));
    }
    assertThat(a.forget("nobody")).isFalse();
    assertThat(a.forget("c")).isTrue();
    assertThat(a.departed()).allMatch(gone -> gone.node().roles().isEmpty());
    eventually().until(() -> b.departed().stream().allMatch(g -> g.node().roles().isEmpty()));
    start("c", dead.get(2).port(), at(a));
    eventually().until(() -> gone(a).isEmpty() && ids(b, Role.INGEST).size() == 3);
  }

  /** Otherwise it is missed for good by who was away when it left with nothing on it. */
  @Test
  void whoWasAwayLearnsThatANodeHasLeftInOrder() throws Exception {
    List<Cluster> dead = threeThatDie();
    Cluster a = start("a", dead.get(0).port());
    Cluster c = start("c", dead.get(2).port(), at(a));
    eventually().until(() -> ids(a, Role.INGEST).equals(List.of("a", "c")));
    awaitMet(a, c);
    c.giveUp(Role.INGEST);
    c.giveUp(Role.STORE);
    c.close();
    eventually().until(() -> a.departed().stream().anyMatch(g -> g.node().roles().isEmpty()));
    Cluster b = start("b", dead.get(1).port(), at(a));
    eventually().until(() -> ids(b, Role.INGEST).equals(List.of("a", "b")));
    for (Cluster one : List.of(a, b)) {
      eventually()
          .until(() ->
              gone(one).equals(List.of("c")) && one.departed().getFirst().node().roles().isEmpty());
    }
  }

  @Test
  void aNodeIsAStrangerUntilOneOfItsPeersKnowsIt() throws Exception {
    var absent = new HostPort("127.0.0.1", FreePorts.next());
    int port = FreePorts.next();
    var itself = new HostPort("localhost", port);
    Cluster a = start("a", port, itself, absent);
    a.awaitFirstLook(LONG);
    assertThat(a.stranger())
        .hasValueSatisfying(why ->
            assertThat(why).startsWith("no other node knows of this one yet: peer " + absent));
    Cluster b = start("b", absent.port());
    eventually().until(() -> a.stranger().isEmpty());
    assertThat(ids(b, Role.INGEST)).as("known there, too").contains("a");
    eventually().until(() -> Files.readAllLines(members("a")).get(1).endsWith("introduced yes"));
    Stream.of(a, b).forEach(Nodes::kill);
    Cluster again = start("a", port, itself, absent);
    eventually().until(() -> again.view().joined());
    assertThat(again.stranger()).as("its peer, dead or not, remembers it").isEmpty();
    again.giveUp(Role.INGEST);
    assertThat(again.stranger()).as("it is not missed any more").isPresent();
    again.close();
    Cluster back = start("a", port, itself, absent);
    eventually().until(() -> back.view().joined());
    assertThat(back.stranger()).isPresent();
  }

  @Test
  void aNodeIsAStrangerToOneThatCannotWriteItDown() throws Exception {
    Cluster a = start("a", 0);
    eventually().until(() -> Files.readAllLines(members("a")).get(1).startsWith("# past"));
    Path inTheWay = folder.resolve("a.new"); // It is there while a writes.
    Path inside = inTheWay.resolve("inside");
    eventually()
        .ignoreExceptionsInstanceOf(FileSystemException.class)
        .until(
            () -> Files.createDirectories(inTheWay).equals(Files.createFile(inside).getParent()));
    Cluster b = start("b", 0, at(a));
    eventually().until(() -> ids(a, Role.INGEST).equals(List.of("a", "b")));
    b.awaitFirstLook(Duration.ofSeconds(2));
    assertThat(b.stranger()).as("whom a would not know after a restart").isPresent();
    Files.delete(inside);
    eventually().until(() -> b.stranger().isEmpty());
    assertThat(nodesIn(members("a"))).isEqualTo(2);
  }

  @Test
  void aNodeThatNamesNobodyElseIsNoStranger() throws Exception {
    int port = FreePorts.next();
    Cluster a = start("a", port, new HostPort("localhost", port));
    eventually().until(() -> a.stranger().isEmpty());
    assertThat(ids(a, Role.INGEST)).containsExactly("a");
  }
}
