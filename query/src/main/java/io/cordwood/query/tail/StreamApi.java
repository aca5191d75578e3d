package io.cordwood.query.tail;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.tail.StreamParams.Wanted;
import java.io.IOException;
import java.io.OutputStream;

/**
 * {@code GET /stream}: the records of all nodes as they are received, without an end; {@link
 * StreamParams} reads the parameters, {@link TailForm} writes the records.
 */
public final class StreamApi {
  private final QueryParams params;
  private final Tails tails;

  public StreamApi(QueryParams params, Tails tails) {
    this.params = params;
    this.tails = tails;
  }

  public void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.STREAM, StreamParams.ALL, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Wanted wanted = StreamParams.wanted(request, params);
    tails.run(wanted.tail(), new Output(wanted, response, response.body()));
  }

  /** The body of an answer. */
  private record Output(Wanted wanted, Response response, OutputStream out) implements TailOutput {
    @Override
    public boolean isGone() {
      return response.clientGone();
    }

    @Override
    public void whenGone(Runnable task) {
      response.whenClientGone(task);
    }

    @Override
    public void begin() throws IOException {
      response.header("content-type", wanted.form().contentType());
      response.header("cache-control", "no-store").narrow();
      out.flush();
    }

    @Override
    public boolean tellsPosition() {
      return wanted.form().tellsPosition();
    }

    @Override
    public void records(BlockHits hits, BlockHits.Group group, Ulid position) throws IOException {
      wanted.form().records(hits, group, position, out);
    }

    @Override
    public void notice(String text) throws IOException {
      wanted.form().notice(text, out);
    }

    @Override
    public void dropped(long records) throws IOException {
      notice(records + " records were dropped, since this stream is read too slowly");
    }

    @Override
    public void alive() throws IOException {
      if (wanted.alive()) {
        wanted.form().alive(out);
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void stops() throws IOException {
      notice("this node stops");
    }
  }
}
