package io.cordwood.query.groups;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.query.fields.RandomRecords;
import io.cordwood.query.fields.RandomRecords.Sample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Records that are counted. */
abstract class GroupsFixture {
  static final long FIRST_MILLIS = 1_700_000_000_000L;

  static Batch batch(long millis, List<String> records) {
    return Records.batch(
        Topic.DEFAULT,
        Delimiter.LF,
        Ulid.firstOf(millis),
        records.stream().map(r -> r.getBytes(StandardCharsets.UTF_8)).toList());
  }

  static List<List<Sample>> samples(long seed, int batches) {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed);
    return Stream.generate(
            () -> Stream.generate(records::next).limit(1 + random.nextInt(20)).toList())
        .limit(batches)
        .toList();
  }

  static List<Batch> batches(List<List<Sample>> samples) {
    return IntStream.range(0, samples.size())
        .mapToObj(i -> batch(FIRST_MILLIS + 10L * i, texts(samples.get(i))))
        .toList();
  }

  static List<String> texts(List<Sample> samples) {
    return samples.stream().map(Sample::text).toList();
  }

  static Batch ofTopic(String topic, String... records) {
    return Records.batch(
        new Topic(topic),
        Delimiter.LF,
        Ulid.firstOf(FIRST_MILLIS + topic.length()),
        Stream.of(records).map(r -> r.getBytes(StandardCharsets.UTF_8)).toList());
  }

  static org.assertj.core.data.Percentage within(double share) {
    return org.assertj.core.data.Percentage.withPercentage(100 * share);
  }
}
