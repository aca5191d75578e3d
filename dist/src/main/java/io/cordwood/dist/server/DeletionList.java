package io.cordwood.dist.server;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.json.Json;
import io.cordwood.query.request.Topics;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /deletions}: what this node knows to be deleted, and whether it has carried that out,
 * or why not yet; as a table, or with {@code format=json} as one object. Whoever may not know of a
 * topic is not told of its deletions.
 */
record DeletionList(DeletionProgress progress) {
  private static final String HEADER = "id\ttopics\tfrom\tto\trecords\twho\tstate\n";
  private static final String DONE = "carried out";

  void addTo(Routes routes) {
    routes.get(ApiPaths.DELETIONS, Params.of(ApiParams.FORMAT), this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    List<DeletionProgress.Seen> seen =
        progress.all().stream()
            .filter(it -> mayKnow(request.caller().topics(), it.tombstone()))
            .toList();
    if (request.wantsJson()) {
      response.json(json -> {
        json.writeArrayPropertyStart("deletions");
        seen.forEach(each -> write(each, json));
        json.writeEndArray();
      });
    } else {
      var table = new StringBuilder(HEADER);
      seen.forEach(it -> table.append(row(it)));
      response.text(200, table.toString());
    }
  }

  private static boolean mayKnow(TopicPatterns own, Tombstone tombstone) {
    return own.areAll()
        || Topics.parse(tombstone.topics().texts()).areIn(Topics.parse(own.texts()));
  }

  private static String row(DeletionProgress.Seen seen) {
    Tombstone it = seen.tombstone();
    return String.join(
            "\t",
            it.id().toString(),
            DeletionWords.topics(it),
            it.range().from().time().toString(),
            it.range().to().time().toString(),
            DeletionWords.records(it),
            plain(it.who()),
            seen.waits().map(why -> "not yet: " + plain(why)).orElse(DONE))
        + "\n";
  }

  private static String plain(String text) {
    return text.replaceAll("\\s", " ");
  }

  private static void write(DeletionProgress.Seen seen, JsonGenerator json) {
    Tombstone it = seen.tombstone();
    json.writeStartObject();
    json.writeStringProperty("id", it.id().toString());
    Json.write(json, "topics", it.topics().texts());
    json.writeStringProperty("from", it.range().from().time().toString());
    json.writeStringProperty("to", it.range().to().time().toString());
    json.writeStringProperty("records", DeletionWords.records(it));
    json.writeStringProperty("who", it.who());
    json.writeBooleanProperty("carried_out", seen.waits().isEmpty());
    seen.waits().ifPresent(why -> json.writeStringProperty("waits", why));
    json.writeEndObject();
  }
}
