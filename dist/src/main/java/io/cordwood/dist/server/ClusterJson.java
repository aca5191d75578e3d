package io.cordwood.dist.server;

import io.cordwood.common.cluster.ClusterView;
import io.cordwood.common.cluster.ClusterView.Listed;
import io.cordwood.common.cluster.DepartedNode;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.json.Json;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The cluster for programs to read: one object, whose names are those of {@link ClusterView} with
 * underscores. Times are RFC 3339, sizes are bytes.
 */
final class ClusterJson {
  private final JsonGenerator json;

  private ClusterJson(JsonGenerator json) {
    this.json = json;
  }

  static void write(ClusterView view, JsonGenerator json) {
    new ClusterJson(json).write(view);
  }

  private void write(ClusterView view) {
    json.writeStringProperty("cluster_name", view.clusterName());
    Json.write(json, "key_ids", view.self().keyIds());
    json.writeBooleanProperty("joined", view.joined());
    json.writeObjectPropertyStart("self");
    node(view.self().node());
    json.writeStringProperty("gossip_address", view.self().gossipAddress());
    json.writeEndObject();
    json.writeArrayPropertyStart("others");
    view.others().forEach(this::other);
    json.writeEndArray();
    json.writeArrayPropertyStart("departed");
    view.departed().forEach(this::departed);
    json.writeEndArray();
    json.writeArrayPropertyStart("seeds");
    view.seeds().forEach(this::seed);
    json.writeEndArray();
    json.writeObjectPropertyStart("twins");
    view.twins().forEach((name, others) -> Json.write(json, name, others));
    json.writeEndObject();
  }

  private void other(Listed other) {
    json.writeStartObject();
    node(other.node());
    json.writeStringProperty("gossip_address", other.gossipAddress());
    json.writeStringProperty("state", name(other.state()));
    json.writeStringProperty("since", other.since().toString());
    json.writeEndObject();
  }

  private void departed(DepartedNode gone) {
    json.writeStartObject();
    node(gone.node());
    json.writeStringProperty("gossip_address", gone.gossipAddress());
    json.writeBooleanProperty("left", gone.left());
    json.writeStringProperty("since", gone.since().toString());
    json.writeEndObject();
  }

  private void seed(ClusterView.Seed seed) {
    json.writeStartObject();
    json.writeStringProperty("address", seed.address());
    if (seed.trouble() != null) {
      json.writeStringProperty("trouble", seed.trouble());
    }
    json.writeEndObject();
  }

  private void node(@Nullable NodeInfo node) {
    if (node == null) {
      return;
    }
    json.writeStringProperty("node_id", node.nodeId());
    Json.write(json, "roles", node.roles().stream().map((Role role) -> name(role)).toList());
    json.writeStringProperty("api_address", node.apiAddress().toString());
    json.writeNumberProperty("replication_factor", node.replicationFactor());
    json.writeObjectPropertyStart("load");
    load(node.load());
    json.writeEndObject();
  }

  private void load(NodeLoad load) {
    json.writeNumberProperty("connections", load.connections());
    json.writeNumberProperty("bytes_per_second", load.bytesPerSecond());
    json.writeNumberProperty("backlog_bytes", load.backlogBytes());
    json.writeNumberProperty("quarantined_segments", load.quarantinedSegments());
    json.writeNumberProperty("free_disk_bytes", load.freeDiskBytes());
    json.writeNumberProperty("stored_bytes", load.storedBytes());
    if (load.replicatedFromMillis() != Long.MAX_VALUE) {
      json.writeStringProperty(
          "replicated_from", Instant.ofEpochMilli(load.replicatedFromMillis()).toString());
    }
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
