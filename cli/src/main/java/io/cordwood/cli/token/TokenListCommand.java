package io.cordwood.cli.token;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import java.io.IOException;
import java.time.Instant;
import java.util.stream.Collectors;

/** {@code cordwood token list}: what the file says of each token. */
final class TokenListCommand implements Command {
  private FileFlag file = new FileFlag();

  @Override
  public void list(FlagList list) {
    list.description("List tokens: name, scopes, topics, expiry, bytes a second, queries at once.");
    list.sorted();
    list.addAll(file);
  }

  @Override
  public Integer call() throws IOException {
    for (Token token : file.read()) {
      StandardOutput.print(row(token));
    }
    return Programs.SUCCESS;
  }

  private static String row(Token token) {
    String scopes =
        token.scopes().stream().sorted().map(Scope::label).collect(Collectors.joining(","));
    String expires = token.expires().map(Instant::toString).orElse("never");
    String expired = token.isExpired(Instant.now()) ? " (expired)" : "";
    long rate = token.ingestBytesPerSecond();
    int queries = token.queries();
    return "%s\t%s\t%s\t%s%s\t%s\t%s%s\n"
        .formatted(
            token.name(),
            scopes,
            String.join(",", token.topics().texts()),
            expires,
            expired,
            rate == Token.NO_RATE ? "-" : rate,
            queries == Token.NO_QUERIES_BOUND ? "-" : queries,
            token.labels().isEmpty() ? "" : "\t" + token.labels());
  }
}
