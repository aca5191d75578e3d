package io.cordwood.ingest.elastic;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.elastic.Action.Verb;
import io.cordwood.ingest.elastic.Documents.BadDocumentException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads a bulk request: lines that say what to do, each with a document after it unless it says to
 * delete one. Blank lines may stand anywhere. For one thread.
 */
final class BulkReader {
  /** As Elasticsearch has it. */
  private static final int MAX_INDEX_BYTES = 255;

  private final BodyLines lines;
  private final Actions actions;
  private final Documents documents;
  private final Events events;
  private final BulkAnswer answer;
  private final Beside beside = new Beside();
  private @Nullable RefusedException forbidden;
  private boolean isSomeTaken;

  BulkReader(
      BodyLines lines, Actions actions, Documents documents, Events events, BulkAnswer answer) {
    this.lines = lines;
    this.actions = actions;
    this.documents = documents;
    this.events = events;
    this.answer = answer;
    events.whenForbidden(why -> forbidden = why);
  }

  /**
   * Reads all of it.
   *
   * @throws io.cordwood.common.http.server.HttpError 400 if what comes cannot be told apart
   * @throws RefusedException also if the token may send none of the documents
   */
  void read() throws IOException, RefusedException {
    while (lines.next()) {
      Action action = actions.read(lines);
      if (action.verb().hasDocument() && !lines.next()) {
        refuse(action, "expected a document after its action, found the end of the request");
      } else if (!action.verb().adds()) {
        refuse(
            action,
            "expected index or create, found %s: records are only added"
                .formatted(action.verb().word()));
      } else {
        document(action);
      }
    }
    if (forbidden != null && !isSomeTaken) {
      throw forbidden;
    }
  }

  private void document(Action action) throws IOException, RefusedException {
    try {
      check(action);
      documents.read(lines.bytes(), lines.start(), lines.end());
    } catch (BadDocumentException e) {
      refuse(action, String.valueOf(e.getMessage()));
      return;
    }
    beside.clear();
    add("_id", action.id());
    add("routing", action.routing());
    add("pipeline", action.pipeline());
    EventOrigin from = documents.origin(action.index());
    RefusedException before = forbidden;
    if (beside.isEmpty()) {
      events.addObject(from, documents.time(), lines.bytes(), lines.start(), lines.end());
    } else {
      events.add(from, documents.time(), lines.bytes(), lines.start(), lines.end(), beside);
    }
    RefusedException why = forbidden;
    if (why != null && why != before) {
      answer.forbidden(action, String.valueOf(why.getMessage()));
    } else {
      isSomeTaken = true;
      answer.taken(action);
    }
  }

  private void check(Action action) throws BadDocumentException {
    if (lines.isTooLong()) {
      throw new BadDocumentException(
          "expected a document of at most %d bytes, found one of %d"
              .formatted(BodyLines.MAX_BYTES, lines.wireBytes()));
    }
    if (action.index().getBytes(StandardCharsets.UTF_8).length > MAX_INDEX_BYTES) {
      throw new BadDocumentException(
          "_index: expected at most %d bytes, found more".formatted(MAX_INDEX_BYTES));
    }
  }

  private void add(String name, @Nullable String value) {
    if (value != null) {
      beside.add(name, value);
    }
  }

  private void refuse(Action action, String reason) throws IOException {
    boolean isDocument = action.verb() != Verb.DELETE;
    events.refuse(isDocument ? lines.wireBytes() : 0);
    answer.refused(action, reason);
  }
}
