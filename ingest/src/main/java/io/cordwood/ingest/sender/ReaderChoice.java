package io.cordwood.ingest.sender;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.BadPreambleException;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Opening;
import io.cordwood.common.wire.Origin;
import io.cordwood.common.wire.Preamble;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.TopicCounters;
import io.cordwood.ingest.mode.ConnectionWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells by the first bytes of a connection what it sends:
 *
 * <pre>
 *   FC 43 57 42, the magic of a batch     batches, each with a topic of its own
 *   CORDWOOD/1 topic=NAME LF              a preamble, and lines of that topic after it
 *   CORDWOOD/1 label.NAME=VALUE LF        the same of lines that have this label
 *   CORDWOOD/1 token=TEXT LF              a preamble, and batches or lines after it
 *   CORDWOOD/1 hints=1 LF                 the same; the sender is told of the cluster's nodes
 *   CORDWOOD/1 clock=1 LF                 the same; the sender is told this node's time
 *   CORDWOOD/1 times=kept LF              likewise
 *   GET /metrics HTTP/1.1, and its like   nothing: it is refused, see {@link ForeignStart}
 *   anything else                         lines of the node's default topic
 * </pre>
 *
 * For the connection's event loop.
 */
final class ReaderChoice {
  private static final byte MAGIC_START = (byte) (BatchHeader.MAGIC >>> 24);

  private final ConnectionWriter writer;
  private final Intake intake;
  private final SenderRights rights;
  private Origin origin;
  private boolean isBehindPreamble;
  private boolean isOfLines;
  private boolean asksForHints;
  private boolean asksForClock;
  private boolean keepsTimes;

  ReaderChoice(ConnectionWriter writer, Intake intake, SenderRights rights) {
    this.writer = writer;
    this.intake = intake;
    this.rights = rights;
    this.origin = new Origin(intake.options().topic().name(), Labels.NONE);
  }

  /** Whether the sender wants to be told of the cluster's nodes; known once it may send. */
  boolean asksForHints() {
    return asksForHints;
  }

  /** Whether the sender wants to be told this node's time; known once it may send. */
  boolean asksForClock() {
    return asksForClock;
  }

  /**
   * Chooses, and lets go of a preamble.
   *
   * @param ended whether nothing more will come
   * @return null as long as that cannot be told
   * @throws RefusedException if the connection begins with a preamble that cannot be taken, or with
   *     an HTTP request
   */
  @Nullable RecordReader choose(ReceivedBytes received, boolean ended) throws RefusedException {
    if (received.size() == 0) {
      return null;
    }
    if (isOfLines || received.copy(0, 1).get(0) != MAGIC_START) {
      return isBehindPreamble ? chooseLineEnd(received, ended) : chooseLines(received, ended);
    }
    if (received.size() < Integer.BYTES) {
      return ended ? lines() : null;
    }
    if (received.copy(0, Integer.BYTES).getInt(0) != BatchHeader.MAGIC) {
      return lines();
    }
    showNothing();
    return new BatchReader(writer, intake, rights, keepsTimes);
  }

  /** Checks a sender without a preamble, which has no token. */
  private void showNothing() throws RefusedException {
    if (!isBehindPreamble) {
      rights.show(Optional.empty());
    }
  }

  private @Nullable RecordReader chooseLines(ReceivedBytes received, boolean ended)
      throws RefusedException {
    return switch (look(received, ended)) {
      case Opening.Unfinished _ -> {
        if (intake.held().isTooMuch(received.size())) {
          throw new RefusedException(
              RejectReason.BAD_PREAMBLE,
              "expected the preamble's line feed, found none, and too much is held already");
        }
        yield null;
      }
      case Opening.Data _ -> chooseLineEnd(received, ended);
      case Opening.Begun(Preamble preamble, int bytes) -> {
        rights.show(preamble.token());
        isBehindPreamble = true;
        asksForHints = preamble.hints();
        asksForClock = preamble.clock();
        keepsTimes = preamble.keepsTimes();
        takeForm(preamble).turnedDown(RejectReason.PREAMBLE, 0, bytes);
        received.drop(bytes);
        yield choose(received, ended);
      }
    };
  }

  /** Takes in whose lines come after a preamble, if it says so; returns where it counts. */
  private TopicCounters takeForm(Preamble preamble) throws RefusedException {
    if (preamble.leavesForm()) {
      return intake.metrics().ledger.withoutTopic();
    }
    isOfLines = true;
    origin = new Origin(preamble.topic().orElse(origin.topic()), preamble.labels());
    return counters();
  }

  private static Opening look(ReceivedBytes received, boolean ended) throws RefusedException {
    int bytes = Math.min(received.size(), Preamble.MAX_BYTES);
    try {
      return Opening.look(received.copy(0, bytes).array(), ended);
    } catch (BadPreambleException e) {
      throw new RefusedException(RejectReason.BAD_PREAMBLE, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable RecordReader chooseLineEnd(ReceivedBytes received, boolean ended)
      throws RefusedException {
    int bytes = Math.min(received.size(), ForeignStart.MAX_BYTES);
    byte[] start = received.copy(0, bytes).array();
    boolean isData =
        isBehindPreamble ? ForeignStart.isText(start, ended) : ForeignStart.isData(start, ended);
    if (!isData) {
      return null;
    }
    if (isBehindPreamble) {
      return lines();
    }
    boolean isAll =
        ended || bytes == ForeignStart.MAX_BYTES || intake.held().isTooMuch(received.size());
    return switch (LineEnd.of(start, isAll)) {
      case LF -> lines();
      case NUL -> {
        intake.metrics().nulEnded.increment();
        yield new NulLineReader(lines());
      }
      case UNKNOWN -> null;
    };
  }

  private LineReader lines() throws RefusedException {
    showNothing();
    return new LineReader(origin, counters(), writer, intake, rights);
  }

  private TopicCounters counters() throws RefusedException {
    var topic = new Topic(origin.topic());
    rights.check(topic);
    rights.check(origin.labels());
    return intake.metrics().ledger.open(topic);
  }
}
