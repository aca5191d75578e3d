package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.GatedSource;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one question of Grafana may hold, and how many may be asked, whatever it is made of. */
final class CrowdedNumbersTest {
  private static final long FIRST = 1_700_000_000_000L;

  /** So many of 11,000 points fit once into what one answer may hold, and not twice. */
  private static final int PODS = 130;

  private final TestCluster cluster = new TestCluster(1);
  private Node asked;

  @BeforeEach
  void start() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < PODS; i++) {
      batches.add(
          Records.lines(new Topic("shop"), Ulid.firstOf(FIRST + i), "n=1 line")
              .labelled(Labels.of(Map.of("pod", "shop-" + i))));
    }
    cluster.store("store", new SegmentFixture(1, 1, batches));
    asked = cluster.query("asked");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Answer numbers(String query) throws IOException {
    return asked.get(
        path(
            "query_range",
            "query",
            query,
            "start",
            Long.toString(FIRST / 1000 + 1),
            "end",
            Long.toString(FIRST / 1000 + 1 + 10_999),
            "step",
            "1"));
  }

  @Test
  void labelsThatAreMadeCountAsMemory() throws IOException {
    String pods = "sum by (pod) (count_over_time({}[1m]))";
    String once = "label_replace(%s, \"a\", \"" + "x".repeat(8000) + "\", \"pod\", \".*\")";
    String longer = "label_replace(%s, \"b\", \"" + "$1".repeat(8) + "\", \"a\", \"(.*)\")";
    String twice = longer.replace("\"b\"", "\"c\"");
    assertThat(number(longer.formatted(once.formatted(pods))).status()).isEqualTo(200);
    assertThat(refused()).isZero();
    Answer answer = number(twice.formatted(longer.formatted(once.formatted(pods))));
    assertThat(answer.text()).contains("expected numbers of at most 67108864 bytes in all ranges");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(refused()).isEqualTo(1);
  }

  private Answer number(String query) throws IOException {
    return asked.post(
        "/loki/api/v1/query",
        "query="
            + URLEncoder.encode(query, StandardCharsets.UTF_8)
            + ("&time=" + (FIRST / 1000 + 1)));
  }

  private double refused() {
    return asked.meters.get("cordwood.query.loki.refused").tag("limit", "series").counter().count();
  }

  @Test
  void allRangesOfAnExpressionHoldTogetherWhatOneMay() throws IOException {
    String counted = "count_over_time({} |= `line`[5s])";
    String measured = "max_over_time({} | logfmt | unwrap n [5s]) by (pod)";
    assertThat(numbers(counted).status()).isEqualTo(200);
    assertThat(numbers(measured).status()).isEqualTo(200);
    assertThat(refused()).isZero();
    for (String both :
        List.of(counted + " + " + counted, counted + " or " + measured + " or " + counted)) {
      Answer answer = numbers(both);
      assertThat(answer.text()).contains("at most 67108864 bytes in all ranges together");
      assertThat(answer.status()).isEqualTo(400);
    }
    assertThat(refused()).isEqualTo(2);
    assertThat(numbers(counted).status()).as("all of it was given back").isEqualTo(200);
  }

  /** Also what a live view asks before it begins; one that asks nothing begins. */
  @Test
  void aLiveViewThatAsksForTopicsIsAQueryAmongOthers() throws Exception {
    cluster.limits = TestCluster.PATIENT.withQueries(1, 9);
    var source = new GatedSource(5, 1);
    Node busy = cluster.store("busy", source);
    try (var client = new Socket(InetAddress.getLoopbackAddress(), busy.port())) {
      client
          .getOutputStream()
          .write("GET /query HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      var running = busy.meters.get("cordwood.query.running").gauge();
      await().until(() -> running.value() == 1);
      String someTopics = path("tail", "query", "{service_name=~`shop|pay`}");
      assertThatThrownBy(() -> new TailSocket(busy.port(), someTopics, true, false).close())
          .hasCauseInstanceOf(WebSocketHandshakeException.class);
      assertThat(busy.meters.get("cordwood.query.refused").counter().count()).isOne();
      new TailSocket(busy.port(), path("tail", "query", "{topic=`shop`}"), true, false).close();
      source.letAll();
      await().until(() -> running.value() == 0);
    }
    new TailSocket(busy.port(), path("tail", "query", "{service_name=~`shop|pay`}"), true, false)
        .close();
  }
}
