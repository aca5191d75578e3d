package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.ClusterView;
import io.cordwood.common.cluster.ClusterView.Listed;
import io.cordwood.common.cluster.ClusterView.Seed;
import io.cordwood.common.cluster.ClusterView.State;
import io.cordwood.common.cluster.DepartedNode;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Partners;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.json.Json;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ClusterViewsTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00.5Z");
  private static final ClusterView VIEW =
      new ClusterView(
          "prod",
          new ClusterView.Self(
              store("s1", "10.0.0.1"), "10.0.0.1:7659", List.of("0123456789abcdef")),
          List.of(new Seed("10.0.0.2:7659", null), new Seed("x:1", "unknown host\tx")),
          true,
          List.of(
              new Listed("10.0.0.2:7659", State.ALIVE, SINCE, ingest()),
              new Listed("10.0.0.3:7659", State.ALIVE, SINCE, store("s1", "10.0.0.3")),
              new Listed("10.0.0.4:7659", State.UNDESCRIBED, SINCE, null)),
          List.of(
              new DepartedNode(store("s5", "10.0.0.5"), "10.0.0.5:7659", SINCE, false),
              new DepartedNode(store("s6", "10.0.0.6"), "10.0.0.6:7659", SINCE, true)),
          Map.of("s1", Set.of("10.0.0.1:7659", "10.0.0.3:7659")));

  @Test
  void tableHasALineForWhateverIsBelieved() {
    List<String> lines = ClusterTable.of(VIEW).lines().toList();
    String load = "\t0\t0 B\t0 B\t1.0 KiB\t2.0 KiB\t2\t";
    String second = "2026-11-21T12:00:00Z";
    assertThat(lines.subList(1, 8))
        .containsExactly(
            "s1\tstore,query\t10.0.0.1:7650\t10.0.0.1:7659\tself,twin" + load + "-",
            "i2\tingest\t10.0.0.2:7650\t10.0.0.2:7659\talive\t7\t1.0 KiB\t2.0 KiB\t3.0 KiB\t-\t-\t"
                + second,
            "s1\tstore,query\t10.0.0.3:7650\t10.0.0.3:7659\talive,twin" + load + second,
            "-\t-\t-\t10.0.0.4:7659\tundescribed\t-\t-\t-\t-\t-\t-\t" + second,
            "s5\tstore,query\t10.0.0.5:7650\t10.0.0.5:7659\tlost" + load + second,
            "s6\tstore,query\t10.0.0.6:7650\t10.0.0.6:7659\tleft" + load + second,
            "-\t-\t-\tx:1\tunreachable: unknown host x\t-\t-\t-\t-\t-\t-\t-");
    assertThat(lines.subList(0, 8)).allSatisfy(line -> assertThat(line.split("\t")).hasSize(12));
    assertThat(lines.get(8)).isEqualTo("# cluster prod, key 0123456789abcdef");
    assertThat(lines.get(9)).startsWith("# node id s1 is that of several living nodes: 10.0.0.");
    assertThat(lines).hasSize(10);
  }

  @Test
  void jsonSaysTheSame() {
    assertThat(Json.object(json -> ClusterJson.write(VIEW, json)))
        .startsWith(
            """
            {"cluster_name":"prod","key_ids":["0123456789abcdef"],"joined":true,\
            "self":{"node_id":"s1","roles":["store","query"],"api_address":"10.0.0.1:7650",\
            "replication_factor":2,"load":{"connections":0,"bytes_per_second":0,\
            "backlog_bytes":0,"quarantined_segments":0,"free_disk_bytes":1024,"stored_bytes":2048,\
            "replicated_from":"2026-11-21T12:00:00Z"},\
            "gossip_address":"10.0.0.1:7659"},"others":[{"node_id":"i2",\
            """)
        .contains(
            "{\"gossip_address\":\"10.0.0.4:7659\",\"state\":\"undescribed\","
                + "\"since\":\"2026-11-21T12:00:00.500Z\"}],\"departed\":[{\"node_id\":\"s5\"")
        .contains("\"gossip_address\":\"10.0.0.5:7659\",\"left\":false,\"since\":\"2026-")
        .contains(
            "\"seeds\":[{\"address\":\"10.0.0.2:7659\"},"
                + "{\"address\":\"x:1\",\"trouble\":\"unknown host\\tx\"}]")
        .contains("\"twins\":{\"s1\":[\"10.0.0.")
        .endsWith("\"]}}");
  }

  private static NodeInfo store(String id, String host) {
    long replicatedFrom = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();
    return new NodeInfo(
        id,
        EnumSet.of(Role.STORE, Role.QUERY),
        host,
        7650,
        2,
        new NodeLoad(0, 0, 0, 1024, 0).withStored(2048, replicatedFrom, Partners.UNKNOWN));
  }

  private static NodeInfo ingest() {
    return new NodeInfo(
        "i2", Set.of(Role.INGEST), "10.0.0.2", 7650, 0, new NodeLoad(7, 1024, 2048, 3072, 0));
  }
}
