package io.cordwood.cli.client;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.TokenFlag;
import io.cordwood.cli.question.NodeAddress;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.TlsFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The nodes that a command may ask: the first one that can be reached answers. */
public final class AskedNodes implements Flags {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A node that scans for long without a hit sends nothing meanwhile. */
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(10);

  private static final int OK = 200;

  /** The media types of a node's answers; an answer without a body may have none. */
  private static final Pattern OF_NODES =
      Pattern.compile("null|text/(plain|csv|event-stream)|application/(x-ndjson|x-cordwood-)");

  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final int UNAUTHORIZED = 401;
  private static final String HOW_TO_SHOW_A_TOKEN =
      "; give one in a file as --token-file, or in CORDWOOD_TOKEN";

  /** How long a node that says when it may be asked again is asked again. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

  List<String> nodes = new ArrayList<>();
  TokenFlag token = new TokenFlag();

  /** The token that nodes are shown; empty for none. */
  Optional<String> token() {
    return token.token();
  }

  TlsFlags tls = new TlsFlags();

  @Override
  public void list(FlagList list) {
    list.flag("--node")
        .label("HOST:PORT")
        .split(",")
        .help(
            "API port of a node, with https:// before it if it speaks TLS, or the URL of a proxy; "
                + "given again, or with commas between, the next is asked when one cannot be "
                + "reached. "
                + "Default: localhost:7650.")
        .list(String.class, nodes, value -> nodes = value);
    list.addAll(token);
    list.addAll(tls);
  }

  /** Whether the command line or the environment names one. */
  public boolean areGiven() {
    return !nodes.isEmpty();
  }

  /** How they are asked at https. */
  public Optional<ClientTls> tls() {
    return tls.tls();
  }

  /** All of them, in the order in which they are to be asked. */
  public List<NodeAddress> addresses() {
    return candidates().stream().map(NodeAddress::parse).toList();
  }

  private List<String> candidates() {
    return nodes.isEmpty() ? List.of("localhost") : nodes;
  }

  /** How a node is asked. */
  @FunctionalInterface
  public interface Question {
    Answer ask(CliClient client, NodeAddress node) throws IOException;
  }

  /**
   * Asks one node after the other.
   *
   * @param command for what is said of a node that cannot be reached
   * @throws IOException if none can be reached, or the last one cannot answer now
   * @throws CommandException if the node that was reached refuses; its own words say why
   */
  public Answer ask(String command, Question question) throws IOException {
    var client = new CliClient(CONNECT_TIMEOUT, READ_TIMEOUT, silence -> tell(command, silence));
    return ask(client, line -> System.err.println(command + ": " + line), question);
  }

  /**
   * Asks one node after the other.
   *
   * @param usual without token and TLS
   * @param says hears of a node that cannot be reached
   * @throws IOException if none can be reached, or the last one cannot answer now
   * @throws CommandException if the node that was reached refuses; its own words say why
   */
  public Answer ask(CliClient usual, Consumer<String> says, Question question) throws IOException {
    CliClient client = usual.withToken(token()).withTls(tls());
    List<NodeAddress> candidates = addresses();
    for (NodeAddress node : candidates.subList(0, candidates.size() - 1)) {
      try {
        Answer answer = question.ask(client, node);
        if (answer.status() != UNAVAILABLE) {
          return accepted(node, answer);
        }
        try (answer) {
          throw new IOException(node + ": " + reason(answer));
        }
      } catch (IOException e) {
        says.accept(e.getMessage() + "; asking the next node");
      }
    }
    NodeAddress last = candidates.getLast();
    return accepted(last, patiently(says, () -> question.ask(client, last)));
  }

  /**
   * Asks one node after the other for what is at a path of the API.
   *
   * @throws IOException if none can be reached, or the last one cannot answer now
   * @throws CommandException if the node that was reached refuses; its own words say why
   */
  public Answer ask(String command, String path, String query) throws IOException {
    return ask(command, (client, node) -> QueryString.ask(client, node, path, query));
  }

  /** Only to people: a search that takes long is no news to a script. */
  private static void tell(String command, String silence) {
    if (StandardOutput.isErrorTerminal()) {
      System.err.println(command + ": " + silence);
    }
  }

  /** One call of one node. */
  @FunctionalInterface
  interface Call {
    Answer make() throws IOException;
  }

  /**
   * Calls a node again that is starting, or has too much to do, as long as it says when it may be.
   *
   * @param says hears of the wait
   */
  static Answer patiently(Consumer<String> says, Call call) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (boolean said = false; ; said = true) {
      Answer answer = call.make();
      if (!mayBeCalledAgain(answer, end)) {
        return answer;
      }
      try (answer) {
        if (!said) {
          says.accept(reason(answer) + "; asking again");
        }
        Thread.sleep(retryAfter(answer));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for the node");
      }
    }
  }

  private static boolean mayBeCalledAgain(Answer answer, long endNanos) {
    return answer.status() == UNAVAILABLE
        && answer.header("retry-after") != null
        && System.nanoTime() + retryAfter(answer).toNanos() - endNanos < 0;
  }

  /** Seconds are what nodes say; what is none of that is not waited for. */
  private static Duration retryAfter(Answer answer) {
    String seconds = String.valueOf(answer.header("retry-after"));
    if (!seconds.matches("[0-9]{1,4}")) {
      return PATIENCE;
    }
    Duration wanted = Duration.ofSeconds(Long.parseLong(seconds));
    return wanted.isZero() ? SHORTEST_PAUSE : wanted;
  }

  /**
   * An answer that is one.
   *
   * @throws IOException if some other program gave it, or the node cannot answer now
   * @throws CommandException if the node refused for good; its own words say why
   */
  static Answer accepted(NodeAddress node, Answer answer) throws IOException {
    String type = String.valueOf(answer.header("content-type"));
    if (answer.status() == OK && OF_NODES.matcher(type).lookingAt()) {
      return answer;
    }
    try (answer) {
      if (!OF_NODES.matcher(type).lookingAt()) {
        throw new IOException(
            "%s: expected a node's answer, found %s (%d); is this its API port?"
                .formatted(node, plain(type), answer.status()));
      }
      String refusal =
          node
              + ": the node refused the query ("
              + answer.status()
              + "): "
              + reason(answer)
              + (answer.status() == UNAUTHORIZED ? HOW_TO_SHOW_A_TOKEN : "");
      if (answer.status() == UNAVAILABLE || answer.status() == TOO_MANY) {
        throw new IOException(refusal);
      }
      throw new CommandException(refusal);
    }
  }

  private static String plain(String field) {
    String start = field.substring(0, Math.min(field.length(), 100));
    return start.replaceAll("[^ -~]", "?");
  }

  private static String reason(Answer answer) throws IOException {
    try (InputStream body = answer.body()) {
      String text = new String(body.readNBytes(4096), StandardCharsets.UTF_8).strip();
      String line = text.lines().findFirst().orElse("no reason given");
      return line.replaceFirst("^error: ", "");
    }
  }
}
