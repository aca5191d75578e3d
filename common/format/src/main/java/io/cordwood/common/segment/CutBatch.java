package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The rest of batches without some of their records: each run of neighbours is a batch, whose
 * identity follows from the ULIDs alone. So all who leave out the same have the same.
 */
final class CutBatch {
  private final Batch batch;
  private final LeftOut leftOut;
  private final List<Batch> runs = new ArrayList<>();

  private CutBatch(Batch batch, LeftOut leftOut) {
    this.batch = batch;
    this.leftOut = leftOut;
  }

  /** The runs, in their order; views of the batch's payload. */
  static List<Batch> runs(Batch batch, LeftOut leftOut) {
    return switch (leftOut.of(batch.topic(), batch.range())) {
      case NONE -> List.of(batch);
      case ALL -> List.of();
      case SOME -> new CutBatch(batch, leftOut).runs();
    };
  }

  private List<Batch> runs() {
    ByteBuffer payload = batch.payload();
    int begin = 0; // of the run, as a record and as a byte
    int beginAt = payload.position();
    int at = beginAt;
    for (int record = 0; record < batch.records(); record++) {
      int end = end(payload, at);
      if (leftOut.has(batch.topic(), batch.first().plus(record))) {
        add(begin, record, beginAt, at);
        begin = record + 1;
        beginAt = end;
      }
      at = end;
    }
    add(begin, batch.records(), beginAt, at);
    return runs;
  }

  private int end(ByteBuffer payload, int from) {
    int at = from;
    while (payload.get(at) != batch.delimiter().value()) {
      at++;
    }
    return at + 1;
  }

  private void add(int begin, int end, int from, int to) {
    if (begin < end) {
      Ulid first = batch.first().plus(begin);
      ByteBuffer payload = batch.payload().slice(from, to - from);
      runs.add(
          new Batch(batch.topic(), batch.labels(), batch.delimiter(), first, end - begin, payload));
    }
  }
}
