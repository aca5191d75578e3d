package io.cordwood.cli.transfer;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.GrepStatistics;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.RangeFlags.Range;
import io.cordwood.cli.records.AnswerLines;
import io.cordwood.cli.records.JsonRecord;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient.Answer;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All records of a range, each once and in order, over as many answers as it takes: one that breaks
 * off, or that a limit of the node ends, is followed by one from the last record on. What came
 * without a verdict, or with one that says that something before the last record may be missing, is
 * counted again at the end. One thread.
 */
final class Export {
  /** How long nodes may be away once one has answered. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String COMMAND = "cordwood export";

  private final AskedNodes nodes;
  private final Range range;
  private final Consumer<QueryString> topics;
  private final Sink sink;
  private @Nullable Ulid first;
  private @Nullable Ulid last;
  private long records;
  private boolean incomplete;
  private boolean answered;

  /** Up to where what was written is counted again at the end; null: not at all. */
  private @Nullable Ulid countedTo;

  /** Number of records written up to there. */
  private long written;

  /** Topics and labels that have a record with the last ULID that was written. */
  private final Set<Origin> ofLast = new HashSet<>();

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
    boolean ended = false;
    while (!ended) {
      ended = patiently(this::answer);
    }
    if (countedTo != null && !incomplete) {
      countAgain(countedTo);
    }
  }

  /** A question to a node, which may be asked again. */
  @FunctionalInterface
  private interface Ask<T> {
    T ask() throws IOException;
  }

  /** Asks until there is an answer, for a minute after the first failure since something came. */
  private <T> T patiently(Ask<T> ask) throws IOException {
    long failing = 0;
    for (boolean said = false; ; said = true) {
      long before = records;
      try {
        T result = ask.ask();
        answered = true;
        return result;
      } catch (SinkException e) {
        throw e.error;
      } catch (IOException e) {
        boolean cameOn = records > before;
        answered |= cameOn;
        failing = cameOn || !said ? System.nanoTime() : failing;
        if (!answered || System.nanoTime() - failing > PATIENCE.toNanos()) {
          throw e;
        }
        if (cameOn) {
          countLater();
        }
        if (cameOn || !said) {
          say(e.getMessage() + "; going on" + (last == null ? "" : " after " + last));
        }
        pause();
      }
    }
  }

  private static void say(String text) {
    System.err.println(COMMAND + ": " + text);
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
    try (Answer answer = ask(query());
        InputStream body = answer.body()) {
      long before = records;
      copy(body);
      GrepStatistics statistics = GrepStatistics.of(answer);
      boolean goesOn = statistics.isStopped() && records > before;
      if (goesOn && last != null && statistics.isWholeUpTo(last)) {
        return false;
      }
      statistics.note("export").ifPresent(System.err::println);
      if (goesOn) {
        countLater();
      } else {
        incomplete |= statistics.isPossiblyIncomplete();
      }
      return !goesOn;
    }
  }

  /**
   * Remembers to count: something may be missing among the records so far, since the answer broke
   * off before its verdict, or lacked what the next one does not look for again.
   */
  private void countLater() {
    countedTo = last;
    written = records;
  }

  /** As many as were written are all, if the nodes count no more. */
  private void countAgain(Ulid to) throws IOException {
    GrepStatistics counted = patiently(() -> count(to));
    if (!counted.isPossiblyIncomplete() && counted.matches() == written) {
      return;
    }
    incomplete = true;
    counted.note("export").ifPresent(System.err::println);
    say(
        "records may be missing: up to %s, expected the %d that were written, found %d"
            .formatted(to.time(), written, counted.matches()));
  }

  private GrepStatistics count(Ulid to) throws IOException {
    var query = new QueryString().add(ApiParams.COUNT, "true");
    range.to(to).addTo(query);
    topics.accept(query);
    try (Answer answer = ask(query.toString());
        InputStream body = answer.body()) {
      body.transferTo(OutputStream.nullOutputStream());
      return GrepStatistics.of(answer);
    }
  }

  private Answer ask(String query) throws IOException {
    return nodes.ask(COMMAND, ApiPaths.QUERY, query);
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

  /** Several origins may have records with the same ULID, and an answer from it on has all. */
  private boolean isNew(JsonRecord record) {
    Ulid ulid = Ulid.parse(record.ulid());
    if (!ulid.equals(last)) {
      ofLast.clear();
      last = ulid;
      first = first == null ? ulid : first;
    }
    return ofLast.add(new Origin(record.topic(), record.labels()));
  }

  private void give(byte[] line, JsonRecord record) throws IOException {
    try {
      sink.take(line, record);
      records++;
      written += last != null && last.equals(countedTo) ? 1 : 0;
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
