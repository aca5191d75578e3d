package io.cordwood.query.gather;

import io.cordwood.query.scan.QueryRunner;
import java.util.function.BiConsumer;

/**
 * Requests and bytes that an answer would take of a bucket, beside what is known of it already.
 *
 * @param objects whose tails were looked at
 * @param requests one for each block that may match
 * @param bytes of these blocks
 */
public record ColdPlan(long objects, long requests, long bytes) {
  static ColdPlan of(long objects, QueryRunner.Reading reading) {
    return new ColdPlan(objects, reading.blocks(), reading.storedBytes());
  }

  /** As fields of an HTTP answer. */
  public void eachField(BiConsumer<String, String> field) {
    field.accept("cordwood-bucket-objects", Long.toString(objects));
    field.accept("cordwood-bucket-requests", Long.toString(requests));
    field.accept("cordwood-bucket-bytes", Long.toString(bytes));
  }
}
