package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.HttpError;
import org.jspecify.annotations.Nullable;

/** Counts log records of a request that can never be taken, while the others may be. */
final class Rejected {
  private long records;
  private long rejected;
  private @Nullable HttpError last;

  /** Counts a log record that came. */
  void came() {
    records++;
  }

  /**
   * Counts that it is rejected.
   *
   * @param status of the answer if all are
   */
  void reject(int status, String why) {
    rejected++;
    last = new HttpError(status, why);
  }

  /**
   * Looks whether any is taken.
   *
   * @throws HttpError if all were rejected
   */
  void check() {
    if (last != null && rejected == records) {
      throw last;
    }
  }

  long count() {
    return rejected;
  }

  /** Why the last of them was. */
  String why() {
    return last == null ? "" : String.valueOf(last.getMessage());
  }
}
