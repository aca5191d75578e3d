package io.cordwood.agent.follow;

import java.util.concurrent.atomic.LongAdder;

/** A follower's counters, for people and machines; read by any thread. */
public final class FollowCounters {
  final LongAdder bytes = new LongAdder();
  final LongAdder records = new LongAdder();
  final LongAdder recordsAcknowledged = new LongAdder();
  final LongAdder bytesAcknowledged = new LongAdder();
  final LongAdder recordsSentAgain = new LongAdder();
  final LongAdder longLines = new LongAdder();
  final LongAdder longRecords = new LongAdder();
  final LongAdder blankLines = new LongAdder();
  final LongAdder nulBytes = new LongAdder();
  final LongAdder rotations = new LongAdder();
  final LongAdder truncations = new LongAdder();
  final LongAdder bytesLost = new LongAdder();
  final LongAdder errors = new LongAdder();
  final LongAdder labelPatternMisses = new LongAdder();
  final LongAdder filesForgotten = new LongAdder();
  final LongAdder filesPacked = new LongAdder();
  final LongAdder filesUnpacked = new LongAdder();
  final LongAdder linesUnlike = new LongAdder();
  final LongAdder timesReplaced = new LongAdder();
  volatile int files;
  volatile int filesAway;
  volatile int openFiles;
  volatile int topicsRefused;
  volatile long heldBytes;
  volatile long behindBytes;

  public boolean hasErrors() {
    return errors.sum() > 0;
  }

  public long recordsSentAgain() {
    return recordsSentAgain.sum();
  }

  public long records() {
    return records.sum();
  }

  public long recordsAcknowledged() {
    return recordsAcknowledged.sum();
  }

  /** Bytes of files that are read and not acknowledged. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Bytes of files that are not read. */
  public long behindBytes() {
    return behindBytes;
  }

  /** Topics, or sets of labels of a topic, that were refused when they were tried last. */
  public int topicsRefused() {
    return topicsRefused;
  }

  public int files() {
    return files;
  }

  /** Each figure by its name, as the members of a JSON object, without its braces. */
  public String json() {
    return ("\"files\":%d,\"files_away\":%d,\"files_forgotten\":%d,\"open_files\":%d,"
            + "\"records\":%d,\"records_acknowledged\":%d,"
            + "\"records_sent_again\":%d,\"bytes\":%d,\"bytes_acknowledged\":%d,"
            + "\"held_bytes\":%d,"
            + "\"behind_bytes\":%d,\"long_lines\":%d,\"long_records\":%d,\"blank_lines\":%d,"
            + "\"nul_bytes\":%d,\"rotations\":%d,\"truncations\":%d,\"bytes_lost\":%d,"
            + "\"errors\":%d,\"topics_refused\":%d,\"label_pattern_misses\":%d,"
            + "\"files_packed\":%d,\"files_unpacked\":%d,\"lines_unlike_format\":%d,"
            + "\"times_replaced\":%d")
        .formatted(
            files,
            filesAway,
            filesForgotten.sum(),
            openFiles,
            records.sum(),
            recordsAcknowledged.sum(),
            recordsSentAgain.sum(),
            bytes.sum(),
            bytesAcknowledged.sum(),
            heldBytes,
            behindBytes,
            longLines.sum(),
            longRecords.sum(),
            blankLines.sum(),
            nulBytes.sum(),
            rotations.sum(),
            truncations.sum(),
            bytesLost.sum(),
            errors.sum(),
            topicsRefused,
            labelPatternMisses.sum(),
            filesPacked.sum(),
            filesUnpacked.sum(),
            linesUnlike.sum(),
            timesReplaced.sum());
  }
}
