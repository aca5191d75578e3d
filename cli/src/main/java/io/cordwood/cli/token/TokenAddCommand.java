package io.cordwood.cli.token;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code cordwood token add}: makes a token and prints it, once. */
final class TokenAddCommand implements Command {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private String name = "";

  private List<String> scopes = new ArrayList<>();

  private List<String> topics = new ArrayList<>();

  private List<String> labels = new ArrayList<>();

  private @Nullable Duration expires;

  private @Nullable Long ingestRate;

  private @Nullable Integer queries;

  private FileFlag file = new FileFlag();

  @Override
  public void list(FlagList list) {
    list.description(
        "Make a token, and print it. It is shown this once: the file has its hash only.");
    list.footer(
        "",
        "  cordwood token add shop --scope ingest --topic 'shop*' > shop.token",
        "  cordwood token add ann --scope query,admin --expires 90d",
        "  cordwood token add shop --scope query --label namespace=shop",
        "  cordwood token add board --scope query --topic shop,audit --queries 4");
    list.argument("0", "1")
        .label("NAME")
        .help("What it is called in logs and metrics.")
        .value(String.class, name, value -> name = value);
    list.flag("--scope")
        .label("SCOPE")
        .split(",")
        .help(
            "What it is for: ingest to send records, query to ask for them, admin to look at the "
                + "cluster and at metrics; may be given several times. Needed.")
        .list(String.class, scopes, value -> scopes = value);
    list.flag("--topic")
        .label("TOPIC")
        .split(",")
        .help(
            "Topic that it is for, such as audit, or a beginning of topics, such as 'shop*'; may be"
                + " given several times. Default: all.")
        .list(String.class, topics, value -> topics = value);
    list.flag("--label")
        .label("NAME=VALUE")
        .help(
            "Label that a batch must have to be sent, or seen, with it, such as namespace=shop; may"
                + " be given several times, and then all count. Default: any labels.")
        .list(String.class, labels, value -> labels = value);
    list.flag("--expires")
        .label("DURATION")
        .help("How long it is valid, such as 90d. Default: until it is removed.")
        .duration(expires, value -> expires = value);
    list.flag("--ingest-rate")
        .label("BYTES")
        .help("Most bytes a second that a node reads of its senders. Default: no bound.")
        .size(ingestRate, value -> ingestRate = value);
    list.flag("--queries")
        .label("N")
        .help("Most queries and tails at once on a node. Default: the node's own bound.")
        .value(Integer.class, queries, value -> queries = value);
    list.addAll(file);
  }

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

  private Labels labels() {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String label : labels) {
      int equals = label.indexOf('=');
      if (equals < 0
          || pairs.put(label.substring(0, equals), label.substring(equals + 1)) != null) {
        throw new CommandException(
            "--label: expected NAME=VALUE with each name once, found " + label);
      }
    }
    return Labels.of(pairs);
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
          labels(),
          Optional.ofNullable(expires).map(now::plus),
          ingestRate == null ? Token.NO_RATE : ingestRate,
          queries == null ? Token.NO_QUERIES_BOUND : queries);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
