package io.cordwood.agent.pods;

import static io.cordwood.agent.pods.FakeApiServer.NODE;
import static io.cordwood.agent.pods.FakeApiServer.bookmark;
import static io.cordwood.agent.pods.FakeApiServer.event;
import static io.cordwood.agent.pods.FakeApiServer.events;
import static io.cordwood.agent.pods.FakeApiServer.pod;
import static io.cordwood.agent.pods.FakeApiServer.pods;
import static io.cordwood.agent.pods.FakeApiServer.status;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Patience;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of pods is what the API server says, as far as it can be asked and believed. */
final class NodePodsTest {
  private static final String GONE =
      "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"too old\",\"code\":410}";

  @TempDir private Path folder;
  private FakeApiServer server;

  @BeforeEach
  void open() throws IOException {
    server = new FakeApiServer(folder);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private static String web(String uid, String version, String app) {
    return pod(uid, version, NODE, Map.of("app", app), "");
  }

  private static Pod known(NodePods pods, String uid) {
    return requireNonNull(pods.get(uid));
  }

  @Test
  void labelsOwnersAndSettingsAreReadPageByPage() throws Exception {
    Map<String, String> labels =
        Map.of(
            "app.kubernetes.io/name",
            "web",
            "pod-template-hash",
            "5f4d",
            "topic",
            "t",
            "cordwood.io/topic",
            "shop");
    server.list(
        pods(
            "5", "next page", pod("u1", "3", NODE, labels, ",\"cordwood.io/multiline\":\"java\"")));
    String mirror = ",\"kubernetes.io/config.mirror\":\"0123abcd\"";
    server.list(pods("5", "", pod("u2", "4", NODE, Map.of(), mirror)));
    try (NodePods pods = server.pods()) {
      assertThat(pods.await(Patience.LONG)).isTrue();
      assertThat(pods.get("u1"))
          .isEqualTo(
              new Pod(
                  "u1",
                  Map.of(
                      "app.kubernetes.io_name",
                      "web",
                      "_topic",
                      "t",
                      "owner_kind",
                      "Deployment",
                      "owner_name",
                      "web"),
                  Map.of("cordwood.io/topic", "shop", "cordwood.io/multiline", "java")));
      assertThat(pods.get("0123abcd")).as("a kubelet's own").isNotNull();
      assertThat(known(pods, "0123abcd").labels()).containsEntry("owner_kind", "ReplicaSet");
      await().until(() -> server.requests.size() == 3);
      assertThat(server.requests).allMatch(each -> each.endsWith(" Bearer secret"));
      assertThat(server.requests)
          .allMatch(each -> each.contains("/api/v1/pods?fieldSelector=spec.nodeName%3Dworker-7"));
      assertThat(server.requests.get(1)).contains("continue=next+page");
      assertThat(server.requests.get(2)).contains("resourceVersion=5", "allowWatchBookmarks=true");
    }
  }

  @Test
  void watchThatIsResetGoesOnFromItsLastVersion() throws Exception {
    server.list(pods("5", "", web("u1", "3", "a")));
    server.watch(
        events(true, event("MODIFIED", web("u1", "6", "b")), event("ADDED", web("u2", "7", "c"))));
    server.watch(events(false, bookmark("9")));
    server.watch(events(true));
    server.watch(events(false, event("DELETED", web("u1", "10", "b"))));
    try (NodePods pods = server.pods()) {
      await().until(() -> server.requests.size() >= 6);
      assertThat(known(pods, "u1").labels()).as("files of it may be read still").containsKey("app");
      assertThat(server.requests.get(5)).contains("resourceVersion=10");
      assertThat(server.requests.get(4)).contains("resourceVersion=9");
      assertThat(server.requests).filteredOn(each -> !each.contains("watch=1")).hasSize(1);
      assertThat(pods.changes()).as("what changes nothing is no change").isEqualTo(3);
    }
  }

  @Test
  void allIsListedAgainWhenTheVersionIsTooOld() throws Exception {
    server.list(pods("5", "", web("u1", "3", "a")));
    server.watch(events(false, event("ERROR", GONE)));
    server.list(pods("50", "", web("u2", "49", "b")));
    server.watch(status(410, GONE));
    server.list(pods("60", "", web("u2", "49", "b"), web("u3", "55", "c")));
    try (NodePods pods = server.pods()) {
      await().until(() -> pods.get("u3") != null);
      assertThat(pods.get("u1")).as("gone a moment ago").isNotNull();
      await().until(() -> server.requests.getLast().contains("resourceVersion=60"));
      assertThat(server.said).isEmpty();
    }
  }

  @Test
  void refusalsAndNonsenseAreSaidAndHarmNothing() throws Exception {
    server.list(status(403, "{\"message\":\"pods is forbidden\",\"code\":403}"));
    server.list(status(403, "{\"message\":\"pods is forbidden\",\"code\":403}"));
    server.list(status(302, ""));
    server.list(status(200, "<html>"));
    server.list(status(200, "{\"items\":[{\"metadata\":{\"labels\":{\"a\":"));
    server.list(status(200, "[".repeat(5000)));
    server.list(status(200, "{\"items\":null}"));
    server.list(pods("5", "", web("u1", "3", "a"), "{}", "{\"metadata\":{\"uid\":7}}"));
    server.watch(events(false, "{\"type\":\"SURPRISE\"}"));
    server.watch(events(false, event("ADDED", "null"), event("ADDED", web("u2", "7", "c"))));
    try (NodePods pods = server.pods()) {
      await().until(() -> pods.get("u2") != null);
      assertThat(pods.get("u1")).isNotNull();
      assertThat(server.said.getFirst()).contains("found 403: pods is forbidden");
      assertThat(server.said).doesNotHaveDuplicates();
    }
  }

  @Test
  void hundredThousandPodsTakeNoMemory() throws Exception {
    String[] own =
        IntStream.range(0, 100_000).mapToObj(i -> web("u" + i, "1", "a")).toArray(String[]::new);
    server.list(pods("5", "", own));
    server.watch(
        events(
            false,
            event("ADDED", pod("other", "6", "worker-8", Map.of(), "")),
            event("ADDED", web("more", "7", "b"))));
    try (NodePods pods = server.pods()) {
      await()
          .untilAsserted(
              () -> assertThat(pods.json()).contains("\"pods\":2000,\"pods_ignored\":98002"));
      assertThat(pods.get("u0")).isNotNull();
      assertThat(pods.get("other")).isNull();
    }
  }

  @Test
  void whatIsLongerThanItCanBeIsLeftOut() throws Exception {
    Map<String, String> labels =
        IntStream.range(0, 300)
            .boxed()
            .collect(Collectors.toMap(i -> "l" + i + "x".repeat(40_000), i -> "v" + i));
    labels.put("9" + "n".repeat(126), "fits");
    labels.put("9" + "n".repeat(127), "does not");
    labels.put("long", "v".repeat(257));
    labels.put("app", "web");
    String setting = ",\"cordwood.io/%s\":\"%s\"";
    String settings =
        setting.formatted("x".repeat(40_000), "a") + setting.formatted("topic", "t".repeat(1000));
    server.list(pods("5", "", pod("u1", "1", NODE, labels, settings)));
    try (NodePods pods = server.pods()) {
      assertThat(pods.await(Patience.LONG)).isTrue();
      Pod pod = known(pods, "u1");
      assertThat(pod.labels())
          .containsOnlyKeys("app", "_9" + "n".repeat(126), "owner_kind", "owner_name");
      assertThat(Labels.of(pod.labels()).isEmpty()).isFalse();
      assertThat(pod.settings()).isEmpty();
    }
  }

  @Test
  void listThatNamesAnotherPageForEverEnds() throws Exception {
    for (int i = 0; i < 1000; i++) {
      server.list(pods("5", "again", web("u1", "3", "a")));
    }
    server.list(pods("6", "", web("u2", "3", "a")));
    try (NodePods pods = server.pods()) {
      await().until(() -> pods.get("u2") != null);
      assertThat(server.said).singleElement().asString().contains("at most 1000 pages");
    }
  }
}
