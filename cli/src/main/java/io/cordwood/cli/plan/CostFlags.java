package io.cordwood.cli.plan;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Decimals;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.TokenFlag;
import io.cordwood.cli.question.TlsFlags;
import io.cordwood.common.http.client.CliClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The costs that the model rests on, and where they come from. */
final class CostFlags implements Flags {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private @Nullable Path corpus;
  private List<String> measured = new ArrayList<>();
  private Duration between = Duration.ofMinutes(1);
  private List<String> set = new ArrayList<>();
  private final TokenFlag token = new TokenFlag();
  private final TlsFlags tls = new TlsFlags();

  /**
   * All costs.
   *
   * @param corpus what was measured of lines
   * @param cluster what was measured of nodes
   */
  record Costs(Parameters parameters, Optional<Corpus> corpus, Optional<MeasuredCluster> cluster) {}

  @Override
  public void list(FlagList list) {
    list.flag("--corpus")
        .label("FILE")
        .help("Lines like yours: makes a segment of the first 64 MiB here, and measures it.")
        .value(Path.class, corpus, value -> corpus = value);
    list.flag("--measured")
        .label("HOST:PORT")
        .help(
            "API ports of all nodes of a cluster that runs, with commas: costs by their metrics,"
                + " read twice.")
        .split(",")
        .list(String.class, measured, value -> measured = value);
    list.flag("--for")
        .label("DURATION")
        .help("How long --measured waits from the first to the second look. Default: 1m.")
        .duration(between, value -> between = value);
    list.flag("--set")
        .label("NAME=NUMBER")
        .help(
            "Another value of a parameter that the document on capacity names, such as"
                + " settle_cpu=9.8. May be given several times.")
        .list(String.class, set, value -> set = value);
    list.addAll(token);
    list.addAll(tls);
  }

  /** Whether a cluster is to be measured. */
  boolean isMeasured() {
    return !measured.isEmpty();
  }

  /**
   * Measures what is to be measured; what is set counts more.
   *
   * @throws CommandException if that cannot be done
   */
  Costs costs() throws IOException, InterruptedException {
    Parameters parameters = Parameters.USUAL;
    Optional<Corpus> lines = Optional.empty();
    if (corpus != null) {
      Corpus found = Corpus.measure(corpus);
      parameters = found.addTo(parameters);
      lines = Optional.of(found);
    }
    Optional<MeasuredCluster> cluster = Optional.empty();
    if (!measured.isEmpty()) {
      CliClient client =
          new CliClient(TIMEOUT, TIMEOUT).withTls(tls.tls()).withToken(token.token());
      MeasuredCluster found = MeasuredCluster.of(measured, client, between);
      parameters = found.addTo(parameters);
      cluster = Optional.of(found);
    }
    for (String each : set) {
      parameters = set(each, parameters);
    }
    return new Costs(parameters, lines, cluster);
  }

  private static Parameters set(String text, Parameters before) {
    int equals = text.indexOf('=');
    try {
      if (equals < 0) {
        throw new IllegalArgumentException(
            "expected NAME=NUMBER such as settle_cpu=9.8, found \"" + text + "\"");
      }
      return before.with(
          Parameter.named(text.substring(0, equals)),
          Decimals.parse(text.substring(equals + 1)),
          "set");
    } catch (IllegalArgumentException e) {
      throw new CommandException("--set: " + e.getMessage(), e);
    }
  }
}
