package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;

/**
 * The sum of the batches of a segment that have one topic and the same labels.
 *
 * @param labels perhaps none
 * @param bytes of the payloads
 * @param range from the millisecond of the first batch to that of the last
 */
public record LabelSummary(Topic topic, Labels labels, long records, long bytes, UlidRange range) {}
