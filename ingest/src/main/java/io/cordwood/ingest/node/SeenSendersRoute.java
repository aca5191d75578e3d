package io.cordwood.ingest.node;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.SeenSenders;
import io.cordwood.ingest.SeenSenders.Standing;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /cluster/senders}: who sends to this node, as a table with tabs between its columns,
 * or with {@code format=json} as one object.
 */
record SeenSendersRoute(SeenSenders seen) {
  private static final String HEADER =
      "address\tport\ttopic\trecords/s\trecords\tbytes\trefused\tlast\twhy refused\n";

  void addTo(Routes routes) {
    routes.get(ApiPaths.CLUSTER_SENDERS, Params.of(ApiParams.FORMAT), this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    if (request.wantsJson()) {
      response.json(this::write);
    } else {
      response.text(200, table());
    }
  }

  private String table() {
    var text = new StringBuilder(HEADER);
    for (Standing each : seen.standings()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s\t%s\t%s\t%.1f\t%d\t%d\t%d\t%s\t%s\n",
              each.sender().address(),
              each.sender().port(),
              each.sender().topic(),
              each.recordsPerSecond(),
              each.records(),
              each.bytes(),
              each.refusals(),
              last(each),
              each.refusal().isEmpty() ? "-" : each.refusal()));
    }
    return text.toString();
  }

  private static Instant last(Standing each) {
    return Instant.ofEpochMilli(each.lastMillis()).truncatedTo(ChronoUnit.SECONDS);
  }

  private void write(JsonGenerator json) {
    json.writeArrayPropertyStart("senders");
    seen.standings().forEach(each -> write(each, json));
    json.writeEndArray();
  }

  private static void write(Standing each, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("address", each.sender().address());
    json.writeStringProperty("port", each.sender().port());
    json.writeStringProperty("topic", each.sender().topic());
    json.writeNumberProperty("records_per_second", each.recordsPerSecond());
    json.writeNumberProperty("records", each.records());
    json.writeNumberProperty("bytes", each.bytes());
    json.writeNumberProperty("refused", each.refusals());
    json.writeStringProperty("refusal", each.refusal());
    json.writeStringProperty("last", last(each).toString());
    json.writeEndObject();
  }
}
