package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.awaitMet;
import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whom a node knows of, besides those whom it has met. */
@Execution(ExecutionMode.CONCURRENT)
final class KnownMembersTest extends NodesFixture {
  private Cluster start(String id, HostPort... seeds) throws IOException {
    return start(id, FreePorts.next(), seeds);
  }

  private Cluster start(String id, int port, HostPort... seeds) throws IOException {
    Path members = folder.resolve(id);
    if (Files.notExists(members)) {
      Cluster.beginMembers(members, Filesystem.real());
    }
    var options =
        new ClusterOptions(
            new HostPort("127.0.0.1", port),
            null,
            List.of(seeds),
            "test",
            ClusterKeys.NONE,
            Nodes.QUICK,
            Optional.of(members));
    return nodes.start(node(id, Role.STORE), options, HostPort::resolve);
  }

  private static HostPort at(Cluster cluster) {
    return new HostPort("127.0.0.1", cluster.port());
  }

  private static List<String> gone(Cluster cluster) {
    return cluster.departed().stream().map(gone -> gone.node().nodeId()).sorted().toList();
  }

  private void awaitWrittenDown(String id, int nodes) {
    Path file = folder.resolve(id);
    eventually()
        .until(() ->
            Files.exists(file)
                && Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).count()
                    == nodes);
  }

  @Test
  void aNodeThatStartsAgainMissesWhomItKnewAndFindsThemWithoutASeed() throws Exception {
    Cluster a = start("a");
    Cluster b = start("b", at(a));
    Cluster c = start("c", at(a));
    awaitWrittenDown("a", 3);
    int port = b.port();
    Stream.of(a, b, c).forEach(Nodes::kill);
    Cluster again = start("a");
    again.awaitFirstLook(LONG);
    assertThat(gone(again)).containsExactly("b", "c");
    start("b", port);
    eventually().untilAsserted(() -> assertThat(gone(again)).containsExactly("c"));
    assertThat(again.doubt()).isEmpty();
  }

  @Test
  void whenTheFirstLookIsOverAllLivingNodesThatWereKnownAreThere() throws Exception {
    Cluster a = start("a");
    Cluster b = start("b", at(a));
    Cluster c = start("c", at(a));
    for (int round = 0; round < 10; round++) {
      awaitWrittenDown("a", 3);
      eventually().until(() -> b.members(Role.STORE).size() == 3);
      Nodes.kill(a);
      a = start("a", at(c));
      a.awaitFirstLook(LONG);
      assertThat(Nodes.ids(a, Role.STORE)).as("round %d", round).containsExactly("a", "b", "c");
      assertThat(gone(a)).isEmpty();
      assertThat(a.doubt()).isEmpty();
    }
  }

  @Test
  void aPeerThatWasNotMetIsInDoubtUntilItIs() throws Exception {
    var absent = new HostPort("127.0.0.1", FreePorts.next());
    Cluster a = start("a", absent);
    a.awaitFirstLook(LONG);
    assertThat(a.doubt())
        .hasValueSatisfying(why ->
            assertThat(why).startsWith("peer " + absent + " was not met yet, Connection refused"));
    start("b", absent.port());
    eventually().until(() -> a.doubt().isEmpty());
    assertThat(Nodes.ids(a, Role.STORE)).containsExactly("a", "b");
  }

  /** An ingest node, say, that was upgraded already. */
  @Test
  void aMemberThatDescribesItselfInAnotherVersionIsInDoubt() throws Exception {
    Cluster a = start("a");
    eventually().until(() -> a.doubt().isEmpty());
    NodeInfo upgraded = node("b", Role.INGEST);
    Cluster b = nodes.start(upgraded, Nodes.options("test", 0, a.port()), of(upgraded));
    eventually()
        .untilAsserted(() ->
            assertThat(a.doubt()).contains("the node at " + at(b) + " has not said who it is"));
    assertThat(a.members(Role.INGEST)).isEmpty();
    // Whom it has not met it cannot tell that it goes.
    eventually().until(() -> b.members(Role.STORE).size() == 1);
    b.close();
    eventually().until(() -> a.doubt().isEmpty());
  }

  /** The usual one, but for the version of the node's description. */
  private static MessageCodec of(NodeInfo upgraded) {
    var usual = new GossipCodec();
    String description = text(NodeInfoCodec.encode(upgraded));
    return new MessageCodec() {
      @Override
      public Message deserialize(InputStream stream) throws Exception {
        return usual.deserialize(stream);
      }

      @Override
      public void serialize(Message message, OutputStream stream) throws Exception {
        var out = new ByteArrayOutputStream();
        usual.serialize(message, out);
        byte[] bytes = out.toByteArray();
        int at = text(bytes).indexOf(description);
        if (at >= 0) {
          bytes[at] = 99;
        }
        stream.write(bytes);
      }
    };
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void aPeerThatWasMetAndIsGoneIsAmongThoseThatAreGoneAndNoDoubt() throws Exception {
    Cluster a = start("a");
    Cluster b = start("b", at(a));
    eventually().until(() -> b.doubt().isEmpty());
    awaitMet(a, b);
    awaitWrittenDown("b", 2);
    a.close();
    eventually().untilAsserted(() -> assertThat(gone(b)).containsExactly("a"));
    assertThat(b.doubt()).isEmpty();
    HostPort seed = at(a);
    Nodes.kill(b);
    Cluster again = start("b", seed);
    again.awaitFirstLook(LONG);
    assertThat(gone(again)).containsExactly("a");
    assertThat(again.doubt()).isEmpty();
  }

  /** Behind a translated address, say. */
  @Test
  void aPeerThatWasMetUnderAnotherAddressIsNoDoubtWhenItIsGoneAlsoAfterARestart() throws Exception {
    int port = FreePorts.next();
    NodeInfo elsewhere = node("a", Role.STORE);
    Cluster a =
        nodes.start(
            elsewhere,
            new ClusterOptions(
                new HostPort("0.0.0.0", port),
                "127.0.0.1",
                List.of(),
                "test",
                ClusterKeys.NONE,
                Nodes.QUICK,
                Optional.empty()),
            HostPort::resolve);
    var otherName = new HostPort("127.0.0.2", port);
    Cluster b = start("b", otherName);
    eventually().until(() -> Files.readString(folder.resolve("b")).contains("# met " + otherName));
    Nodes.kill(a);
    eventually().untilAsserted(() -> assertThat(gone(b)).containsExactly("a"));
    assertThat(b.doubt()).isEmpty();
    Nodes.kill(b);
    Cluster again = start("b", otherName);
    again.awaitFirstLook(LONG);
    assertThat(gone(again)).containsExactly("a");
    assertThat(again.doubt()).isEmpty();
  }

  @Test
  void aPeerThatIsThisNodeOrHasAnotherNameIsNoDoubt() throws Exception {
    int port = FreePorts.next();
    Cluster a = start("a", port, new HostPort("localhost", port));
    eventually().until(() -> a.doubt().isEmpty());
    Cluster b = start("b", new HostPort("localhost", port));
    eventually().until(() -> b.doubt().isEmpty());
    assertThat(Nodes.ids(b, Role.STORE)).containsExactly("a", "b");
  }

  @Test
  void whomOthersNameIsUnmetUntilItIsKnownOrNobodyNamesItAnyMore() {
    var now = new Instant[] {Instant.EPOCH};
    var reported = new ReportedAddresses(() -> now[0], Duration.ofSeconds(15));
    reported.alive(List.of("h:1", "h:2"));
    assertThat(reported.unmet(Set.of("h:1"))).contains("h:2");
    assertThat(reported.unmet(Set.of("h:1", "h:2"))).isEmpty();
    now[0] = Instant.EPOCH.plusSeconds(16);
    assertThat(reported.unmet(Set.of())).isEmpty();
    IntStream.rangeClosed(0, ReportedAddresses.MAX_ADDRESSES)
        .forEach(i -> reported.alive(List.of("n:" + (i + 1))));
    assertThat(reported.unmet(Set.of())).contains("n:2");
  }
}
