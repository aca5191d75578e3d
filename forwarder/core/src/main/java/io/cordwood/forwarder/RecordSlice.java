package io.cordwood.forwarder;

import io.cordwood.common.wire.Delimiter;
import org.jspecify.annotations.Nullable;

/**
 * Records to be added to a batch in one go: a part of the caller's array, not copied yet.
 *
 * <p>Never compared or kept, so the array as a component does no harm.
 *
 * @param records in the part
 * @param delimiter that the records' batch must have, null when they hold neither
 * @param ended the last record brings its delimiter
 */
@SuppressWarnings("ArrayRecordComponent")
record RecordSlice(
    byte[] bytes,
    int offset,
    int length,
    int records,
    @Nullable Delimiter delimiter,
    boolean ended) {

  int payloadBytes() {
    return ended ? length : length + 1;
  }
}
