package io.cordwood.query.wire;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.segment.Varints;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.wire.AnswerFrame.Hits;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes frames of hits, drawn at {@link AnswerFrame}, one after the other: a topic may be named
 * in the one before. What is not one throws {@link IllegalArgumentException} or {@link
 * java.nio.BufferUnderflowException}. For one thread.
 */
final class HitsDecoder {
  private static final int LF = '\n';

  private final Detail detail;
  private final AnswerLabels known = new AnswerLabels();
  private @Nullable Topic topic;

  HitsDecoder(Detail detail) {
    this.detail = detail;
  }

  /**
   * The first ULID of a batch, without a look at the rest.
   *
   * @param payload of which the beginning is enough
   */
  Ulid first(ByteBuffer payload, boolean labelled) {
    if (labelled && number(payload, 0, known.next()) == known.next()) {
      skip(payload, number(payload, 1, Labels.MAX_BYTES));
    }
    skip(payload, payload.get() & 0xFF);
    return ulid(payload);
  }

  /** A batch with labels. */
  Hits decodeLabelled(ByteBuffer payload) {
    int number = number(payload, 0, known.next());
    if (number < known.next()) {
      return decode(payload, known.get(number));
    }
    byte[] encoded = new byte[number(payload, 1, Labels.MAX_BYTES)];
    payload.get(encoded);
    Labels labels = Labels.decode(encoded);
    known.add(labels);
    return decode(payload, labels);
  }

  Hits decode(ByteBuffer payload) {
    return decode(payload, Labels.NONE);
  }

  private Hits decode(ByteBuffer payload, Labels labels) {
    Topic named = topic(payload);
    Ulid first = ulid(payload);
    int records = number(payload, 1, AnswerFrame.MAX_PAYLOAD_BYTES);
    var group = new BlockHits.Group(first, labels, 0, records);
    List<BlockHits.Group> groups = List.of(group);
    return detail.hasBytes()
        ? new Hits(records(payload, named, records, groups), group)
        : new Hits(new BlockHits(named, new byte[0], new int[0], new int[0], groups), group);
  }

  private BlockHits records(
      ByteBuffer payload, Topic named, int records, List<BlockHits.Group> groups) {
    require(records <= payload.remaining(), "more records than bytes");
    int[] places = new int[detail == Detail.ULIDS ? records : 0];
    int[] ends = new int[records];
    int end = 0;
    for (int i = 0; i < records; i++) {
      if (detail == Detail.ULIDS) {
        int before = i == 0 ? 0 : places[i - 1];
        places[i] = before + number(payload, i == 0 ? 0 : 1, Integer.MAX_VALUE - before);
      }
      end += number(payload, 1, payload.remaining() - end);
      ends[i] = end;
    }
    require(end == payload.remaining(), "another number of bytes");
    byte[] bytes = new byte[end];
    payload.get(bytes);
    for (int each : ends) {
      require(bytes[each - 1] == LF, "a record without an end");
    }
    return new BlockHits(named, bytes, ends, places, groups);
  }

  private Topic topic(ByteBuffer payload) {
    byte[] name = new byte[payload.get() & 0xFF];
    payload.get(name);
    Topic named = name.length == 0 ? topic : Topic.of(name);
    if (named == null) {
      throw new IllegalArgumentException("no topic");
    }
    topic = named;
    return named;
  }

  static Ulid ulid(ByteBuffer payload) {
    return new Ulid(payload.getLong(), payload.getLong());
  }

  private static void skip(ByteBuffer payload, int bytes) {
    require(bytes <= payload.remaining(), "more bytes than there are");
    payload.position(payload.position() + bytes);
  }

  private static int number(ByteBuffer payload, int min, int max) {
    long value = Varints.get(payload);
    require(value >= min && value <= max, "a number out of bounds");
    return (int) value;
  }

  private static void require(boolean holds, String found) {
    if (!holds) {
      throw new IllegalArgumentException(found);
    }
  }
}
