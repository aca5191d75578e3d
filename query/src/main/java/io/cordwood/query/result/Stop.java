package io.cordwood.query.result;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.request.QueryLimits;

/**
 * Why a search did not look at all that it should, and where.
 *
 * @param unsearched only records in it can be missing
 */
public record Stop(Limit limit, UlidRange unsearched) {
  /** The limit of {@link QueryLimits.Effort} that was reached. */
  public enum Limit {
    TIME("time was up"),
    BYTES("the limit of bytes to search was reached"),
    RECORDS("the limit of records to give was reached"),
    MEMORY("the limit of memory for the newest records was reached"),
    UNCONSUMED("more segments wait for a store than there is memory to search"),
    LOST("segments that were damaged, cannot be read, or went before their time, are missing");

    private final String text;

    Limit(String text) {
      this.text = text;
    }

    /** Whether the search goes on after it: only what is in that range is not there. */
    public boolean isHole() {
      return this == UNCONSUMED || this == LOST;
    }

    /** For a person. */
    public String text() {
      return text;
    }
  }
}
