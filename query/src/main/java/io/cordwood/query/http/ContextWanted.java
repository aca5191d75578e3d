package io.cordwood.query.http;

import io.cordwood.common.wire.Labels;
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

  /** Whether a record by itself matches, in a batch with these labels. */
  public boolean matches(Query query, byte[] record, Labels labels) {
    byte delimiter = LF;
    for (byte each : record) {
      delimiter = each == LF ? 0 : delimiter;
    }
    byte[] ended = Arrays.copyOf(record, record.length + 1);
    ended[record.length] = delimiter;
    int found = query.matcher(labels).find(ended, 0, ended.length, delimiter);
    return found >= 0 != query.takesOthers();
  }
}
