package io.cordwood.cli.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Programs;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LabelCompletionTest {
  private static final List<Labels> SENT =
      List.of(
          Labels.of(Map.of("pod", "web-1", "namespace", "shop")),
          Labels.of(Map.of("pod", "web-2", "node", "größe", "odd", "a b")),
          Labels.of(Map.of("pod", "db", "odd", "x')\t\"")));

  private static List<String> complete(int port, String typed) {
    var command = new LabelsCommand();
    Programs.parse(Programs.line("labels", command), Map.of("CORDWOOD_NODE", "127.0.0.1:" + port));
    return new LabelCompletion(command.nodes).of(typed);
  }

  @Test
  void namesAndValuesAreThoseOfTheNode() throws IOException {
    var batches =
        IntStream.range(0, SENT.size())
            .mapToObj(i -> Records.lines(Ulid.firstOf(i + 1L), "x").labelled(SENT.get(i)))
            .toList();
    try (var cluster = new TestCluster(1)) {
      int port = cluster.store("one", new SegmentFixture(1, 1, batches)).port();
      assertThat(complete(port, "'@")).containsExactly("@namespace=", "@node=", "@odd=", "@pod=");
      assertThat(complete(port, "@n")).containsExactly("@namespace=", "@node=");
      assertThat(complete(port, "'@po")).containsExactly("@pod=db", "@pod=web-1", "@pod=web-2");
      assertThat(complete(port, "@pod!=w")).containsExactly("@pod!=web-1", "@pod!=web-2");
      assertThat(complete(port, "\"level=error and @node?="))
          .containsExactly("level=error and @node?=größe");
      for (String none : List.of("@odd=", "@x", "@x=", "pod", "a@", "", "@pod=web-1 ", "@pod~w")) {
        assertThat(complete(port, none)).as(none).isEmpty();
      }
    }
  }

  @Test
  void aNodeThatDoesNotAnswerIsNotWaitedForAndNothingIsSaid() throws IOException {
    int port;
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = silent.getLocalPort();
      assertThat(complete(port, "@pod=")).isEmpty();
    }
    assertThat(complete(port, "@pod=")).isEmpty();
  }
}
