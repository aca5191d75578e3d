package io.cordwood.ingest.journald;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.push.PushSession;
import java.io.IOException;
import java.io.InputStream;

/**
 * Uploads of journals.
 *
 * <pre>
 *   POST /upload    202 "stored records=N\n", once all of it is forced
 *                   503 if it cannot be taken now: systemd-journal-upload ends, is started anew,
 *                       and goes on where it was acknowledged
 * </pre>
 *
 * A body may be of any length. If it breaks off, what came before may be stored, and the answer is
 * no success.
 */
public final class JournaldRoutes {
  private final Intake intake;
  private final EventRequests requests;

  public JournaldRoutes(PushPorts ports) {
    this.intake = ports.intake();
    this.requests = new EventRequests(ports, "journald");
  }

  public void addTo(Routes routes) {
    routes.on("POST", ForeignPaths.JOURNAL, Params.ANY, Long.MAX_VALUE, this::upload);
    routes.on("POST", ForeignPaths.INSERT_JOURNAL, Params.ANY, Long.MAX_VALUE, this::upload);
  }

  private void upload(Request request, Response response) throws IOException {
    long records = requests.take(request, response, Long.MAX_VALUE, this::read);
    response.text(202, "stored records=" + records + "\n");
  }

  private void read(InputStream body, EventOrigins origins, PushSession session)
      throws IOException, RefusedException {
    var events = new JournalEvents(intake, session.records(), origins);
    try (var entries = new JournalStream(body, intake.held())) {
      while (entries.next()) {
        events.add(entries);
      }
    }
  }
}
