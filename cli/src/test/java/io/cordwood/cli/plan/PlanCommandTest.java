package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** What a person asks {@code cordwood plan}, and what it says. */
final class PlanCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "--load 0MB/s; --load: expected more than 0 bytes a second, found 0.0",
        "--load 5ells/s; --load: expected a load such as 1TB/day, 12MB/s or 50000lines/s, found",
        "--load 5MB; --load: expected a load such as 1TB/day",
        "--load 1MB/s --stores 2 --replication-factor 3; --replication-factor: expected at most 2",
        "--load 1MB/s --replication-factor 0; expected a replication factor from 1 to 16, found 0",
        "--load 1MB/s --replication-factor 17; expected a replication factor from 1 to 16",
        "--load 1MB/s --retention 0s; expected a retention of more than 0, found 0.0",
        "--load 1MB/s --peak 0.5; expected a peak of 1 or more times the load, found 0.5",
        "--load 1MB/s --disk 3cubits; --disk: expected bytes such as 500GB or 1.5TB, found",
        "--load 1MB/s --disk-rate 3MB; --disk-rate: expected bytes of a time such as 500MB/s",
        "--load 1MB/s --cores 0; --cores: expected more than 0, found 0.0",
        "--load 1MB/s --spare -1; --spare: expected 0 to 100000, found -1",
        "--load 1MB/s --ask rare; --ask: expected a question such as \"rare 24h 2/s\"",
        "--load 1MB/s --set speed=2; --set: expected one of receive_cpu, serve_cpu,",
        "--load 1MB/s --set settle_cpu; --set: expected NAME=NUMBER such as settle_cpu=9.8",
        "--load 1MB/s --measured localhost:1; expected an answer of each node, found none:"
            + " localhost:1",
        "--load 1MB/s --measured http://a/b?c; --measured: expected host:port or a URL",
        "--load 1MB/s --disk 100MB; disk, for an outage of the stores: too little on each of",
        "--retention 7d; expected --load, such as 1TB/day, 12MB/s or 50000lines/s, or --measured",
      })
  void whatMakesNoSenseIsAnErrorThatSaysWhatWasExpected(String arguments, String expected) {
    CommandRun run = CommandRun.of("plan", new PlanCommand(), arguments.split(" ", -1));
    assertThat(run.err()).startsWith("cordwood plan: ").contains(expected);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "1TB/day, 11574074.07",
    "0.5 GiB/min, 8947848.53",
    "2kB/h, 0.5555556",
    "1000lines/s, 138000",
    "36k lines/h, 1380",
  })
  void loadsAreReadAsPeopleWriteThem(String text, double bytesPerSecond) throws Exception {
    assertThat(PlanRun.of("--load", text).plan().load().bytesPerSecond())
        .isCloseTo(bytesPerSecond, org.assertj.core.data.Percentage.withPercentage(0.001));
  }

  @Test
  void rowsAnswerWhatPeopleAsk() throws Exception {
    PlanRun run =
        PlanRun.of(
            "--load=1TB/day",
            "--peak=3",
            "--retention=30d",
            "--replication-factor=2",
            "--cores=8",
            "--disk=4TB",
            "--growth=5%",
            "--ask=common 1h 0.01/s");
    assertThat(run.text().lines())
        .contains(
            "load          1 TB a day = 11.6 MB/s, 34.7 MB/s at peak; kept for 30 d on 2 stores",
            "size ratio    0.285 as written first, 0.232 settled",
            "nodes         2 ingest (one takes all, and 1 that may be down), "
                + "6 stores (disk, and 1 that may be down)");
    assertThat(run.text())
        .contains(
            "\nstore, each   processor ", "\ntakes         ", "\nlag           until queryable ")
        .contains(
            "\nquestions     common 1 h: ", "\na store less  ", "\nretention     a day more ");
    assertThat(run.text())
        .contains(
            "\nall nodes     8; each hears of 23.3 loads a minute, has up to 42 connections with"
                + " others, a store ",
            "\n              a question takes 1.05 MB of the heap, 64 run at once on a node",
            "\n              at most 207 nodes in these proportions; first bound: the heap of"
                + " stores for what others hold, which -Xmx sets, and --retention");
    assertThat(run.plan().exceeded()).isEmpty();
  }

  @Test
  void nodesThatAreGivenAreSaidToBeTooFew() throws Exception {
    PlanRun run = PlanRun.of("--load=200MB/s", "--stores=3", "--ingest-nodes=1");
    assertThat(run.text())
        .contains("1 ingest (given), 3 stores (given)")
        .contains("too little    stores: --settle-rate is used to 397 % of what there is")
        .contains("until on stores saturated");
    assertThat(run.plan().exceeded())
        .contains(Limit.SETTLING, Limit.STORE_CPU)
        .doesNotContain(Limit.INGEST_CPU);
    CommandRun command =
        CommandRun.of("plan", new PlanCommand(), "--load=200MB/s", "--stores=3", "--json");
    assertThat(command.code()).isEqualTo(1);
  }

  @Test
  void jsonHasEachFigureByItsName() throws Exception {
    PlanRun run = PlanRun.of("--load=1MB/s", "--ask=rare 1h 1/s", "--json", "--set=full=0.5");
    Map<String, Double> numbers = numbers(run.text());
    for (Figure each : Figure.values()) {
      boolean isOfQuestion = Figure.ofQuestions().contains(each);
      double value =
          isOfQuestion ? run.plan().cluster().of(each, 0) : run.plan().cluster().of(each);
      if (value < Double.POSITIVE_INFINITY) {
        assertThat(numbers).as(each.symbol()).containsEntry(each.symbol(), value);
      } else {
        assertThat(run.text()).contains('"' + each.symbol() + "\":null");
      }
    }
    assertThat(run.text()).contains("\"full\":\"set\"", "\"settle_cpu\":\"usual\"").endsWith("}\n");
  }

  /** All of an object and those in it, but for that of fewer stores; the first of a name. */
  private static Map<String, Double> numbers(String json) throws IOException {
    Map<String, Double> numbers = new HashMap<>();
    try (JsonParser parser =
        JsonFactory.builder().build().createParser(ObjectReadContext.empty(), json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isNumeric()) {
          numbers.putIfAbsent(parser.currentName(), parser.getDoubleValue());
        }
      }
    }
    return numbers;
  }
}
