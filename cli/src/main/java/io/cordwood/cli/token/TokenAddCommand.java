package io.cordwood.cli.token;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.Values;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.TopicPatterns;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood token add}: makes a token and prints it, once. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Make a token, and print it. It is shown this once: the file has its hash only.",
    },
    footer = {
      "",
      "  cordwood token add shop --scope ingest --topic 'shop*' > shop.token",
      "  cordwood token add ann --scope query,admin --expires 90d",
      "  cordwood token add board --scope query --topic shop,audit --queries 4"
    })
final class TokenAddCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  @Parameters(paramLabel = "NAME", description = "What it is called in logs and metrics.")
  private String name = "";

  @Option(
      names = "--scope",
      split = ",",
      paramLabel = "SCOPE",
      description =
          "What it is for: ingest to send records, query to ask for them, admin to look at the "
              + "cluster and at metrics; may be given several times. Needed.")
  private List<String> scopes = new ArrayList<>();

  @Option(
      names = "--topic",
      split = ",",
      paramLabel = "TOPIC",
      description =
          "Topic that it is for, such as audit, or a beginning of topics, such as 'shop*'; may be "
              + "given several times. Default: all.")
  private List<String> topics = new ArrayList<>();

  @Option(
      names = "--expires",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "How long it is valid, such as 90d. Default: until it is removed.")
  private @Nullable Duration expires;

  @Option(
      names = "--ingest-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description = "Most bytes a second that a node reads of its senders. Default: no bound.")
  private @Nullable Long ingestRate;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description = "Most queries and tails at once on a node. Default: the node's own bound.")
  private @Nullable Integer queries;

  @Mixin private FileFlag file = new FileFlag();

  @Override
  public Integer call() throws IOException {
    String text = TokenText.random();
    Token token = token(HexFormat.of().formatHex(TokenText.hash(text)));
    TokenFile.change(file.file(), before -> with(token, before));
    StandardOutput.print(text + "\n");
    return Programs.SUCCESS;
  }

  private List<Token> with(Token token, List<Token> before) {
    if (before.stream().anyMatch(other -> other.name().equals(name))) {
      throw new CommandException(
          "expected a new name, found %s in %s; remove it first".formatted(name, file.file()));
    }
    return Stream.concat(before.stream(), Stream.of(token)).toList();
  }

  private Token token(String hash) {
    if (scopes.isEmpty()) {
      throw new CommandException("--scope: expected ingest, query or admin, found none");
    }
    if (expires != null && (!expires.isPositive() || expires.compareTo(LONGEST) > 0)) {
      throw new CommandException("--expires: expected more than 0 and at most 36500d");
    }
    try {
      Set<Scope> all = EnumSet.noneOf(Scope.class);
      scopes.forEach(label -> all.add(Scope.of(label)));
      Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      return new Token(
          name,
          hash,
          all,
          topics.isEmpty() ? TopicPatterns.ALL : new TopicPatterns(topics),
          Optional.ofNullable(expires).map(now::plus),
          ingestRate == null ? Token.NO_RATE : ingestRate,
          queries == null ? Token.NO_QUERIES_BOUND : queries);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
