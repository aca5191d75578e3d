package io.cordwood.cli.watch;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** The first of some nodes that can be reached. */
record HttpNodeApi(AskedNodes nodes) implements NodeApi {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** How much longer than the limit an answer may take on its way. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  @Override
  public Answer ask(String path, String query, Duration limit, Consumer<String> says)
      throws IOException {
    String limited = query + "&" + new QueryString().addIfThere(ApiParams.TIME_LIMIT, limit);
    return nodes.ask(
        new CliClient(CONNECT_TIMEOUT, limit.plus(GRACE)),
        says,
        (client, node) -> QueryString.ask(client, node, path, limited));
  }
}
