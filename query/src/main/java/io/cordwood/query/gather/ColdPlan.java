package io.cordwood.query.gather;

import io.cordwood.common.cold.ColdView;
import java.util.function.BiConsumer;

/**
 * Requests and bytes that an answer would take of a bucket, beside what is known of it already.
 *
 * @param objects whose tails were looked at
 * @param requests for blocks that may match, one for all that lie close together
 * @param bytes that these bring
 */
public record ColdPlan(long objects, long requests, long bytes) {
  static ColdPlan of(ColdView view) {
    ColdView.Reading reading = view.reading();
    return new ColdPlan(view.segments().size(), reading.requests(), reading.bytes());
  }

  /** As fields of an HTTP answer. */
  public void eachField(BiConsumer<String, String> field) {
    field.accept("cordwood-bucket-objects", Long.toString(objects));
    field.accept("cordwood-bucket-requests", Long.toString(requests));
    field.accept("cordwood-bucket-bytes", Long.toString(bytes));
  }
}
