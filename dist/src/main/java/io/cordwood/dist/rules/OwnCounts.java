package io.cordwood.dist.rules;

import io.cordwood.cli.watch.NodeApi;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.query.api.OwnQuestions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The node that has the rules, which asks itself.
 *
 * @param abandoned whether the rules are watched no more
 */
record OwnCounts(OwnQuestions questions, BooleanSupplier abandoned) implements NodeApi {
  private static final int OK = 200;

  @Override
  public CliClient.Answer ask(String path, String query, Duration limit, Consumer<String> says)
      throws IOException {
    try {
      OwnQuestions.Answer answer =
          path.equals(ApiPaths.STATS)
              ? questions.stats(query, limit, abandoned)
              : questions.count(query, limit, abandoned);
      return new CliClient.Answer(
          OK, new ByteArrayInputStream(answer.body()), answer.fields(), () -> {});
    } catch (HttpError e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
