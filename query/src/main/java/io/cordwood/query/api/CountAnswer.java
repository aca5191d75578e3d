package io.cordwood.query.api;

import io.cordwood.common.http.Response;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Query;
import io.cordwood.query.ScanStats;
import io.cordwood.query.gather.Gatherer;
import io.cordwood.query.gather.Gathering;
import io.cordwood.query.gather.Rounds;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.histogram.IndexCount;
import io.cordwood.query.http.StatisticsFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How many records match, instead of these. All that there are are counted from the indexes, as far
 * as that is exact. For the query's own thread.
 */
final class CountAnswer {
  private static final String TYPE = "text/plain; charset=utf-8";

  private final Query query;
  private final Gatherer gatherer;
  private final Gatherer.Manner manner;
  private final ScanStats stats;
  private final Response response;

  CountAnswer(
      Query query, Gatherer gatherer, Gatherer.Manner manner, ScanStats stats, Response response) {
    this.query = query;
    this.gatherer = gatherer;
    this.manner = manner;
    this.stats = stats;
    this.response = response;
  }

  void run() throws IOException {
    var body = new AnswerBody(response, TYPE, manner.progress());
    Verdict verdict = query.countsAll() ? byIndex() : bySearch(body);
    String count = stats.matches.get() + "\n";
    body.out().write(count.getBytes(StandardCharsets.US_ASCII));
    body.end();
    verdict.eachField(response::trailer);
    StatisticsFields.all(stats.snapshot(), response::trailer);
  }

  private Verdict byIndex() throws IOException {
    var rounds = new Rounds(gatherer, manner, stats, response::clientGone);
    var total = new Total();
    IndexCount.run(query, rounds, total);
    stats.matches.set(total.records);
    return rounds.verdict();
  }

  private Verdict bySearch(AnswerBody body) throws IOException {
    try (Gathering gathering = gatherer.gather(query, manner, stats, response::clientGone)) {
      body.search(gathering, (hits, group) -> true);
      return gathering.verdict();
    }
  }

  private static final class Total implements IndexCount.Tally {
    private long records;

    @Override
    public boolean isOne(UlidRange range) {
      return true;
    }

    @Override
    public void add(long millis, long more) {
      records += more;
    }
  }
}
