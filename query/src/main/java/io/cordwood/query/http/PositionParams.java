package io.cordwood.query.http;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads the parameters of those who go on from a position; one that is not as it must be is
 * answered 400.
 */
public final class PositionParams {
  private static final Duration MAX_LATE_WINDOW = Duration.ofDays(1);

  private PositionParams() {}

  /** The ULID after which to continue; empty for all. */
  public static Optional<Ulid> after(Request request) {
    return request.param(ApiParams.FROM_ULID).map(PositionParams::ulid);
  }

  /**
   * The ULID after which to continue; the header with which a browser resumes server-sent events
   * overrides the address, which is still that of the beginning.
   */
  public static Optional<Ulid> afterEvent(Request request) {
    return request.header("last-event-id").map(PositionParams::ulid).or(() -> after(request));
  }

  /** The range after a position. */
  public static UlidRange behind(Ulid position) {
    return new UlidRange(position.equals(Ulid.MAX) ? position : position.plus(1), Ulid.MAX);
  }

  private static Ulid ulid(String text) {
    return Request.checked("from_ulid", () -> Ulid.parse(text));
  }

  /**
   * How late a record may arrive without being missed by a client that resumes after a position.
   */
  public static Duration lateWindow(Request request) {
    Duration window = request.durationParam(ApiParams.LATE_WINDOW).orElse(SegmentSource.LATE);
    if (window.compareTo(MAX_LATE_WINDOW) > 0) {
      throw new HttpError(
          400, "parameter late_window: expected at most 24h, found " + window.toSeconds() + "s");
    }
    return window;
  }
}
