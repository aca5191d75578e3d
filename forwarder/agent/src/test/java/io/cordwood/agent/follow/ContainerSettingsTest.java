package io.cordwood.agent.follow;

import static io.cordwood.agent.pods.FakeApiServer.NODE;
import static io.cordwood.agent.pods.FakeApiServer.event;
import static io.cordwood.agent.pods.FakeApiServer.events;
import static io.cordwood.agent.pods.FakeApiServer.pod;
import static io.cordwood.agent.pods.FakeApiServer.pods;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.pods.FakeApiServer;
import io.cordwood.agent.pods.NodePods;
import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pods and containers say of their own logs, in labels and annotations. */
final class ContainerSettingsTest {
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path folder;

  private static String cri(String rest) {
    return "2026-11-27T09:00:00.123456789Z " + rest + "\n";
  }

  private void add(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, String.join("", lines), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Path file(String uid, String container) {
    return folder.resolve("pods/shop_web-1_" + uid).resolve(container).resolve("0.log");
  }

  private FollowFixture follow(NodePods pods) throws IOException {
    var follow = new FollowFixture(folder.resolve("cp"), folder.resolve("pods/*/*/*.log"));
    follow.restart(LabelRule.NONE.withContainers(NODE).withPods(pods));
    return follow;
  }

  private static FileState state(FollowFixture follow, Path file) {
    return follow.checkpoint.states().stream()
        .filter(state -> state.path.equals(file))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void podsAreExcludedRenamedAndJoinedAsTheySay() throws Exception {
    try (var server = new FakeApiServer(folder)) {
      server.list(
          pods(
              "5",
              "",
              pod("u1", "1", NODE, Map.of("app", "web", "pod", "x"), settings("topic", "shop")),
              pod("u2", "1", NODE, Map.of("cordwood.io/exclude", "true"), ""),
              pod("u3", "1", NODE, Map.of(), settings("exclude", "proxy, other")),
              pod("u4", "1", NODE, Map.of(), settings("multiline", "java")),
              pod("u5", "1", NODE, Map.of(), settings("multiline", "(a+)+b")),
              pod("u6", "1", NODE, Map.of(), settings("topic", "no topic!"))));
      try (NodePods pods = server.pods()) {
        assertThat(pods.await(Patience.LONG)).isTrue();
        for (String uid : List.of("u1", "u2", "u3", "u4", "u5", "u6", "u7")) {
          add(file(uid, "web"), cri("stdout F " + uid));
        }
        add(file("u3", "proxy"), cri("stdout F proxy"));
        try (FollowFixture follow = follow(pods)) {
          assertThat(follow.records(LONG))
              .containsExactlyInAnyOrder(
                  "stdout u1", "stdout u3", "stdout u5", "stdout u6", "stdout u7");
          assertThat(state(follow, file("u1", "web")).topic).isEqualTo("shop");
          assertThat(state(follow, file("u1", "web")).labels.pairs())
              .containsEntry("app", "web")
              .containsEntry("pod", "web-1")
              .containsEntry("owner_name", "web-5f4d")
              .containsEntry("node", NODE);
          assertThat(state(follow, file("u4", "web")).multiline.spec()).isEqualTo("java");
          assertThat(state(follow, file("u5", "web")).multiline.isNone()).isTrue();
          assertThat(state(follow, file("u6", "web")).topic).isEqualTo("0");
          assertThat(follow.said)
              .anyMatch(line -> line.contains("cordwood.io/multiline: expected none, dotnet"))
              .anyMatch(line -> line.contains("cordwood.io/topic"));
        }
      }
    }
  }

  private static String settings(String name, String value) {
    return ",\"cordwood.io/" + name + "\":\"" + value + "\"";
  }

  @Test
  void labelsThatComeLaterAreThoseOfLaterLines() throws Exception {
    try (var server = new FakeApiServer(folder)) {
      server.list(pods("5", ""));
      try (NodePods pods = server.pods()) {
        assertThat(pods.await(Patience.LONG)).isTrue();
        Path file = file("u1", "web");
        add(file, cri("stdout F one"));
        try (FollowFixture follow = follow(pods)) {
          assertThat(follow.records(LONG)).containsExactly("stdout one");
          assertThat(state(follow, file).labels.pairs()).doesNotContainKey("app");
          server.watch(
              events(false, event("ADDED", pod("u1", "6", NODE, Map.of("app", "web"), ""))));
          await().until(() -> pods.get("u1") != null);
          add(file, cri("stdout F two"));
          assertThat(follow.records(LONG)).containsExactly("stdout two");
          assertThat(state(follow, file).labels.pairs()).containsEntry("app", "web");

          String excluded = pod("u1", "7", NODE, Map.of("app", "a"), settings("exclude", "true"));
          long changes = pods.changes();
          server.watch(events(false, event("MODIFIED", excluded)));
          await().until(() -> pods.changes() > changes);
          add(file, cri("stdout F three"));
          assertThat(follow.records(LONG)).isEmpty();
          server.watch(
              events(false, event("MODIFIED", pod("u1", "8", NODE, Map.of("app", "a"), ""))));
          await().until(() -> pods.changes() > changes + 1);
          assertThat(follow.records(LONG)).containsExactly("stdout three");
        }
      }
    }
  }

  @Test
  void labelsOfDockersContainersSayItAsWell() throws Exception {
    for (String id : List.of("0a", "0b")) {
      Path docker = folder.resolve("docker").resolve(id.repeat(32));
      add(
          docker.resolve(id.repeat(32) + "-json.log"),
          "{\"log\":\"x\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-27T09:00:00Z\"}\n");
      String setting = id.equals("0a") ? "exclude\":\"true" : "topic\":\"shop";
      Files.writeString(
          docker.resolve("config.v2.json"),
          "{\"Name\":\"/web\",\"Config\":{\"Labels\":{\"cordwood.io/" + setting + "\"}}}");
    }
    try (var follow =
        new FollowFixture(folder.resolve("cp"), folder.resolve("docker/*/*-json.log"))) {
      follow.restart(LabelRule.NONE.withContainers(""));
      assertThat(follow.records(LONG)).containsExactly("stdout x");
      assertThat(follow.checkpoint.states())
          .filteredOn(state -> state.position() > 0)
          .allMatch(state -> state.topic.equals("shop"));
      assertThat(follow.checkpoint.states())
          .allSatisfy(state -> assertThat(state.labels.pairs()).containsOnlyKeys("container"));
    }
  }

  @Test
  void onlyContainersThatSaySoAreReadIfThatIsWanted() throws Exception {
    try (var server = new FakeApiServer(folder)) {
      server.list(
          pods(
              "5",
              "",
              pod("u1", "1", NODE, Map.of("cordwood.io/include", "true"), ""),
              pod("u2", "1", NODE, Map.of(), settings("include", "other, web")),
              pod("u3", "1", NODE, Map.of(), settings("include", "false")),
              pod("u4", "1", NODE, Map.of(), ""),
              pod(
                  "u5",
                  "1",
                  NODE,
                  Map.of("cordwood.io/include", "true"),
                  settings("exclude", "web"))));
      try (NodePods pods = server.pods()) {
        assertThat(pods.await(Patience.LONG)).isTrue();
        for (String uid : List.of("u1", "u2", "u3", "u4", "u5", "u6")) {
          add(file(uid, "web"), cri("stdout F " + uid));
        }
        add(file("u2", "proxy"), cri("stdout F proxy"));
        add(folder.resolve("pods/a/b/plain.log"), "no container\n");
        var follow = new FollowFixture(folder.resolve("cp"), folder.resolve("pods/*/*/*.log"));
        try (follow) {
          follow.restart(LabelRule.NONE.withContainers(NODE).withPods(pods).withOnlyIncluded());
          assertThat(follow.records(LONG))
              .containsExactlyInAnyOrder("stdout u1", "stdout u2", "none no container");

          long changes = pods.changes();
          server.watch(
              events(
                  false,
                  event("MODIFIED", pod("u4", "6", NODE, Map.of(), settings("include", "web")))));
          await().until(() -> pods.changes() > changes);
          assertThat(follow.records(LONG)).containsExactly("stdout u4");
        }
      }
    }
  }
}
