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
  private boolean isBehindPreamble;
  private boolean asksForHints;
  private boolean asksForClock;
  private boolean keepsTimes;

  ReaderChoice(ConnectionWriter writer, Intake intake, SenderRights rights) {
    this.writer = writer;
    this.intake = intake;
    this.rights = rights;
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
    if (received.copy(0, 1).get(0) != MAGIC_START) {
      return isBehindPreamble ? ownLines() : chooseLines(received, ended);
    }
    if (received.size() < Integer.BYTES) {
      return ended ? ownLines() : null;
    }
    if (received.copy(0, Integer.BYTES).getInt(0) != BatchHeader.MAGIC) {
      return ownLines();
    }
    showNothing();
    return new BatchReader(writer, intake, rights, keepsTimes);
  }

  private RecordReader ownLines() throws RefusedException {
    showNothing();
    return lines(intake.options().topic(), Labels.NONE, 0);
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
        if (preamble.leavesForm()) {
          intake.metrics().ledger.withoutTopic().turnedDown(RejectReason.PREAMBLE, 0, bytes);
          received.drop(bytes);
          yield choose(received, ended);
        }
        Topic topic = preamble.topic().map(Topic::new).orElse(intake.options().topic());
        RecordReader reader = lines(topic, preamble.labels(), bytes);
        received.drop(bytes);
        yield reader;
      }
    };
  }

  private static Opening look(ReceivedBytes received, boolean ended) throws RefusedException {
    int bytes = Math.min(received.size(), Preamble.MAX_BYTES);
    try {
      return Preamble.look(received.copy(0, bytes).array(), ended);
    } catch (BadPreambleException e) {
      throw new RefusedException(RejectReason.BAD_PREAMBLE, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable RecordReader chooseLineEnd(ReceivedBytes received, boolean ended)
      throws RefusedException {
    int bytes = Math.min(received.size(), ForeignStart.MAX_BYTES);
    byte[] start = received.copy(0, bytes).array();
    if (!ForeignStart.isData(start, ended)) {
      return null;
    }
    showNothing();
    boolean isAll =
        ended || bytes == ForeignStart.MAX_BYTES || intake.held().isTooMuch(received.size());
    return switch (LineEnd.of(start, isAll)) {
      case LF -> ownLines();
      case NUL -> {
        intake.metrics().nulEnded.increment();
        yield new NulLineReader(lines(intake.options().topic(), Labels.NONE, 0));
      }
      case UNKNOWN -> null;
    };
  }

  private LineReader lines(Topic topic, Labels labels, int preambleBytes) throws RefusedException {
    rights.check(topic);
    rights.check(labels);
    TopicCounters counters = intake.metrics().ledger.open(topic);
    counters.turnedDown(RejectReason.PREAMBLE, 0, preambleBytes);
    return new LineReader(new Origin(topic.name(), labels), counters, writer, intake);
  }
}
