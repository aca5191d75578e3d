package io.cordwood.ingest.push;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.sender.SenderListener;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** The way of all protocols but Cordwood's own to the segments of a node. For all threads. */
public final class PushPorts {
  /** After that a client that was answered "not now" may come again. */
  public static final int RETRY_SECONDS = 5;

  private final Intake intake;
  private final SenderListener fast;
  private final SenderListener durable;

  public PushPorts(Intake intake, SenderListener fast, SenderListener durable) {
    this.intake = intake;
    this.fast = fast;
    this.durable = durable;
  }

  /** Reads the records of one request. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Reads all of a body, and adds its records.
     *
     * @param body unpacked; throws {@link HttpError} if it is not what it says it is
     * @throws HttpError if it is not as it must be
     * @return what is to be known of it once it is stored
     */
    T read(InputStream body, PushSession session) throws IOException, RefusedException;
  }

  /** Decides who may send to this node, and how much. */
  public Intake intake() {
    return intake;
  }

  /**
   * Takes the records of a request; when this returns, they are as safe as the mode promises.
   *
   * @throws RefusedException if that is not so; {@link #status} gives its status
   * @throws HttpError if the body is not as it must be
   */
  public <T> T receive(Request request, Response response, Mode mode, Reader<T> reader)
      throws IOException, RefusedException {
    return receive(request, response, mode, intake.options().bulk().maxBytes(), reader);
  }

  /**
   * The same for bodies of another length than an upload may have.
   *
   * @param maxBytes of the body, unpacked
   */
  public <T> T receive(
      Request request, Response response, Mode mode, long maxBytes, Reader<T> reader)
      throws IOException, RefusedException {
    Duration longest =
        request.durationParam(ApiParams.WAIT).orElse(intake.options().bulk().longestWait());
    SenderRights rights = rights(request.address(), request.path()).of(request.caller());
    try (PushSession session = open(rights, mode, longest);
        PushedBody body = PushedBody.of(request, maxBytes, session, response::clientGone)) {
      T result = reader.read(body, session);
      session.commit();
      return result;
    } catch (RefusedException | HttpError e) {
      rights.refused(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /** The rights of a sender that has shown nothing yet. */
  public SenderRights rights(String address, String port) {
    return new SenderRights(intake, address, port);
  }

  /**
   * The way of one request or connection; to be closed.
   *
   * @param longest that the disk may take nothing
   * @throws RefusedException if nothing is taken now
   */
  public PushSession open(SenderRights rights, Mode mode, Duration longest)
      throws RefusedException {
    SenderListener port = mode == Mode.FAST ? fast : durable;
    return new PushSession(intake, rights, port.openRequest(), longest);
  }

  /** The HTTP status of a refusal: 503 for what may be sent again later, with all else final. */
  public static int status(RefusedException why) {
    return switch (why.reason()) {
      case DISK, CLOSED, MEMORY -> 503;
      case TOKEN, TOPICS -> 403;
      default -> 400;
    };
  }

  /** The answer to a refusal, as a line of text. */
  public static HttpError error(RefusedException why) {
    String message = String.valueOf(why.getMessage());
    int status = status(why);
    return status == 503 ? HttpError.busy(message, RETRY_SECONDS) : new HttpError(status, message);
  }
}
