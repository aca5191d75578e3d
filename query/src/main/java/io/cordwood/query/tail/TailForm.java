package io.cordwood.query.tail;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.http.JsonFormat;
import io.cordwood.query.http.RecordFormat;
import io.cordwood.query.http.TextFormat;
import io.cordwood.query.result.BlockHits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * How a stream's records are written, and what its reader is told besides.
 *
 * <pre>
 *            a record                               a notice                   still there
 *   text     the record                             # cordwood: NOTICE         (nothing)
 *   ulid     ULID, a space, the record              # cordwood: NOTICE         (nothing)
 *   json     {"ulid":…,"time":…,…}                  {"notice":"NOTICE"}        {"alive":true}
 *   sse      id: POSITION, data: the object of json event: notice, data: …     :
 * </pre>
 */
sealed interface TailForm {
  String contentType();

  /** Whether readers are told from where to go on. */
  default boolean tellsPosition() {
    return false;
  }

  /**
   * Writes the records of a batch.
   *
   * @param position from where a reader goes on who gets no more, or not all of these
   */
  void records(BlockHits hits, BlockHits.Group group, Ulid position, OutputStream out)
      throws IOException;

  /** Writes a line that is no record. */
  void notice(String text, OutputStream out) throws IOException;

  /** Writes something that means nothing. */
  void alive(OutputStream out) throws IOException;

  /** Records as a query answers them. */
  sealed interface Plain extends TailForm {
    RecordFormat format();

    @Override
    default String contentType() {
      return format().contentType();
    }

    @Override
    default void records(BlockHits hits, BlockHits.Group group, Ulid position, OutputStream out)
        throws IOException {
      format().write(hits, group, out);
    }
  }

  /** Records as they are, or after their ULIDs. */
  record Lines(TextFormat format) implements Plain {
    @Override
    public void notice(String text, OutputStream out) throws IOException {
      print("# cordwood: " + text + "\n", out);
    }

    @Override
    public void alive(OutputStream out) {}
  }

  /** An object a line. */
  record Json(JsonFormat format) implements Plain {
    @Override
    public void notice(String text, OutputStream out) throws IOException {
      format.notice(text, out);
    }

    @Override
    public void alive(OutputStream out) throws IOException {
      print("{\"alive\":true}\n", out);
    }
  }

  /** Server-sent events, whose data are the lines of {@link Json}. */
  record Events(JsonFormat format) implements TailForm {
    @Override
    public String contentType() {
      return "text/event-stream";
    }

    @Override
    public boolean tellsPosition() {
      return true;
    }

    @Override
    public void records(BlockHits hits, BlockHits.Group group, Ulid position, OutputStream out)
        throws IOException {
      var json = new ByteArrayOutputStream();
      format.write(hits, group, json);
      for (String line : json.toString(StandardCharsets.UTF_8).lines().toList()) {
        print("id: " + position + "\ndata: " + line + "\n\n", out);
      }
    }

    @Override
    public void notice(String text, OutputStream out) throws IOException {
      print("event: notice\ndata: ", out);
      format.notice(text, out);
      print("\n", out);
    }

    @Override
    public void alive(OutputStream out) throws IOException {
      print(":\n\n", out);
    }
  }

  private static void print(String text, OutputStream out) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
