package io.cordwood.dist.transfer;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.CliClient.Answer;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.dist.client.AskedNodes;
import io.cordwood.dist.client.GrepStatistics;
import io.cordwood.dist.question.QueryString;
import io.cordwood.dist.question.RangeFlags.Range;
import io.cordwood.dist.records.AnswerLines;
import io.cordwood.dist.records.JsonRecord;
import io.cordwood.dist.terminal.StandardOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All records of a range, each once and in order, over as many answers as it takes: one that breaks
 * off, or that a limit of the node ends, is followed by one from the last record on. One thread.
 */
final class Export {
  /** How long a node may be away that has answered before. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String COMMAND = "cordwood export";

  private final AskedNodes nodes;
  private final Range range;
  private final Consumer<QueryString> topics;
  private final Sink sink;
  private @Nullable Ulid first;
  private @Nullable Ulid last;
  private long records;
  private boolean incomplete;

  /** Topics that have a record with the last ULID that was written. */
  private final Set<String> ofLast = new HashSet<>();

  /** Takes a record. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes one.
     *
     * @param line as the node gave it, without its LF
     * @throws StandardOutput.FailedException or another, which ends the export
     */
    void take(byte[] line, JsonRecord record) throws IOException;
  }

  /** The sink's own error, which asking again does not mend. */
  private static final class SinkException extends IOException {
    private static final long serialVersionUID = 1;

    private final IOException error;

    SinkException(IOException error) {
      super(error);
      this.error = error;
    }
  }

  /**
   * @param topics adds those that are wanted to a query
   */
  Export(AskedNodes nodes, Range range, Consumer<QueryString> topics, Sink sink) {
    this.nodes = nodes;
    this.range = range;
    this.topics = topics;
    this.sink = sink;
  }

  /** Number of records given to the sink. */
  long records() {
    return records;
  }

  /** Whether some may be missing; standard error says which. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Between which times the records are; empty without any. */
  String span() {
    return first == null || last == null ? "" : ", " + first.time() + " to " + last.time();
  }

  /**
   * Gives all to the sink.
   *
   * @throws IOException if the sink fails, no node can be reached at first, or none answers for a
   *     minute after that
   */
  void run() throws IOException {
    boolean answered = false;
    long deadline = System.nanoTime();
    for (boolean ended = false; !ended; ) {
      long before = records;
      try {
        ended = answer();
        answered = true;
      } catch (SinkException e) {
        throw e.error;
      } catch (IOException e) {
        answered |= records > 0;
        deadline = records > before ? System.nanoTime() + PATIENCE.toNanos() : deadline;
        if (!answered || System.nanoTime() - deadline > 0) {
          throw e;
        }
        if (records > before) {
          System.err.println(COMMAND + ": " + e.getMessage() + "; going on after " + last);
        }
        pause();
      }
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a node");
    }
  }

  /** Whether that was all. */
  private boolean answer() throws IOException {
    String query = query();
    try (Answer answer =
            nodes.ask(
                COMMAND, (client, node) -> QueryString.ask(client, node, ApiPaths.QUERY, query));
        InputStream body = answer.body()) {
      long before = records;
      copy(body);
      GrepStatistics statistics = GrepStatistics.of(answer);
      if (statistics.isStopped() && records > before) {
        return false; // A limit of the node ended it; the next answer goes on.
      }
      statistics.note("export").ifPresent(System.err::println);
      incomplete |= statistics.isPossiblyIncomplete();
      return true;
    }
  }

  private String query() {
    var query = new QueryString().add(ApiParams.FORMAT, "json");
    (last == null ? range : range.from(last)).addTo(query);
    topics.accept(query);
    return query.toString();
  }

  private void copy(InputStream body) throws IOException {
    var lines = new AnswerLines(body);
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      JsonRecord record = JsonRecord.of(line);
      if (record.record() != null && isNew(record)) {
        give(line, record);
      }
    }
  }

  /** Topics may have records with the same ULID, and an answer from it on has all of them. */
  private boolean isNew(JsonRecord record) {
    Ulid ulid = Ulid.parse(record.ulid());
    if (!ulid.equals(last)) {
      ofLast.clear();
      last = ulid;
      first = first == null ? ulid : first;
    }
    return ofLast.add(record.topic());
  }

  private void give(byte[] line, JsonRecord record) throws IOException {
    try {
      sink.take(line, record);
      records++;
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
