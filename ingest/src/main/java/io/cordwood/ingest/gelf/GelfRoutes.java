package io.cordwood.ingest.gelf;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.message.Frame;
import io.cordwood.ingest.message.Framing;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * GELF over HTTP: an object, or several after each other.
 *
 * <pre>
 *   POST /gelf     202 when all are as safe as they are to be; 400 if one is no GELF, 413 if it is too long
 * </pre>
 */
public final class GelfRoutes {
  private static final int FIRST_BYTES = 8 << 10;

  private final EventRequests requests;

  public GelfRoutes(PushPorts ports) {
    this.requests = new EventRequests(ports, "gelf");
  }

  public void addTo(Routes routes) {
    routes.on("POST", ForeignPaths.GELF, Params.ANY, Long.MAX_VALUE, this::push);
  }

  private void push(Request request, Response response) throws IOException {
    requests.take(
        request, response, (body, origins, events) -> read(body, new GelfReader(origins), events));
    response.text(202, "");
  }

  private static void read(InputStream body, GelfReader reader, Events events)
      throws IOException, RefusedException {
    var framing = new GelfFraming();
    byte[] bytes = new byte[FIRST_BYTES];
    int to = 0;
    int objects = 0;
    boolean ended = false;
    while (!ended) {
      if (to == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(2 * to, Framing.MAX_BYTES + FIRST_BYTES));
      }
      int count = body.read(bytes, to, bytes.length - to);
      ended = count < 0;
      to += Math.max(count, 0);
      int from = 0;
      while (from < to) {
        Frame frame = framing.next(bytes, from, to, ended, Framing.MAX_BYTES);
        if (frame == null) {
          break;
        }
        objects += take(bytes, frame, objects, reader, events);
        from = frame.next();
      }
      System.arraycopy(bytes, from, bytes, 0, to - from);
      to -= from;
    }
    if (objects == 0) {
      throw new HttpError(400, "body: expected an object of JSON, found nothing");
    }
  }

  private static int take(byte[] bytes, Frame frame, int before, GelfReader reader, Events events)
      throws RefusedException {
    if (frame.start() == frame.end()) {
      return 0;
    }
    try {
      reader.readOne(bytes, frame.start(), frame.end(), events);
      return 1;
    } catch (NotGelfException e) {
      int length = frame.end() - frame.start();
      throw new HttpError(
          GelfReader.isTooLong(length) ? 413 : 400,
          "body: object %d: %s".formatted(before + 1, GelfReader.why(e, length)));
    }
  }
}
