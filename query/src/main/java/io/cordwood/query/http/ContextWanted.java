package io.cordwood.query.http;

import io.cordwood.query.request.Query;
import java.util.Arrays;

/**
 * The context to return for each match.
 *
 * @param before records right before it in its stream
 * @param after records right after it
 */
public record ContextWanted(int before, int after) {
  private static final byte LF = '\n';

  /** Whether a record by itself matches. */
  public boolean matches(Query query, byte[] record) {
    byte delimiter = LF;
    for (byte each : record) {
      delimiter = each == LF ? 0 : delimiter;
    }
    byte[] ended = Arrays.copyOf(record, record.length + 1);
    ended[record.length] = delimiter;
    return query.matcher().find(ended, 0, ended.length, delimiter) >= 0 != query.takesOthers();
  }
}
