package io.cordwood.cli.client;

import io.cordwood.cli.client.EventReader.Event;
import io.cordwood.cli.question.NodeAddress;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.records.RecordOutput;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the stream of a node, and of the next one when that fails: from where it was on, without
 * end. Says on standard error whom it asks. One thread.
 */
public final class NodeTail {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A node sends something every 5 s. */
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int UNAVAILABLE = 503;

  private final CliClient client;
  private final String command;
  private final List<NodeAddress> nodes;
  private final String query;
  private final long lines;
  private final RecordOutput output;
  private final PrintedRecords printed;
  private final Set<String> said = new HashSet<>();
  private boolean reached;

  /** The beginning of a stream: a number of the last records, or a position. */
  public record Begin(long lines, Optional<Ulid> position) {
    public static Begin last(long lines) {
      return new Begin(lines, Optional.empty());
    }

    public static Begin behind(Ulid position) {
      return new Begin(0, Optional.of(position));
    }
  }

  /**
   * @param query what is asked, without the form of the answer
   * @param begin what is printed first
   */
  public NodeTail(
      String command, AskedNodes nodes, String query, Begin begin, RecordOutput output) {
    this.command = command;
    this.nodes = nodes.addresses();
    this.client =
        new CliClient(CONNECT_TIMEOUT, READ_TIMEOUT).withToken(nodes.token()).withTls(nodes.tls());
    this.query = query + "&" + ApiParams.FORMAT + "=sse";
    this.lines = begin.lines;
    this.printed = new PrintedRecords(begin.position);
    this.output = output;
  }

  /**
   * Goes on until nothing more can be written to standard output.
   *
   * @throws IOException also if no node can be reached at the beginning
   */
  public void run() throws IOException, InterruptedException {
    int failed = 0;
    for (int at = 0; ; at = (at + 1) % nodes.size()) {
      try {
        read(nodes.get(at));
        say(nodes.get(at) + " ends the stream");
      } catch (StandardOutput.FailedException e) {
        throw e;
      } catch (IOException e) {
        if (!reached && ++failed == nodes.size()) {
          throw e;
        }
        say(String.valueOf(e.getMessage()));
      }
      if (at == nodes.size() - 1) {
        Thread.sleep(PAUSE);
      }
      String position = printed.position().map(ulid -> ", from " + ulid + " on").orElse("");
      say("asking " + nodes.get((at + 1) % nodes.size()) + position);
    }
  }

  /** Says each thing once, until a node is reached again. */
  private void say(String message) {
    if (said.add(message)) {
      System.err.println(command + ": " + message);
    }
  }

  private void read(NodeAddress node) throws IOException {
    String from =
        printed
            .position()
            .map(ulid -> ApiParams.FROM_ULID + "=" + ulid)
            .orElse(ApiParams.LINES + "=" + lines);
    Answer answer =
        AskedNodes.patiently(
            line -> System.err.println(command + ": " + line),
            () -> QueryString.ask(client, node, ApiPaths.STREAM, query + "&" + from));
    if (answer.status() == UNAVAILABLE) {
      try (answer) {
        throw new IOException(node + ": the node takes no more streams, or stops");
      }
    }
    try (Answer accepted = AskedNodes.accepted(node, answer);
        InputStream body = accepted.body()) {
      reached = true;
      said.clear();
      printed.beginAnew();
      print(new EventReader(body));
    }
  }

  private void print(EventReader events) throws IOException {
    for (Optional<Event> next = events.next(); next.isPresent(); next = events.next()) {
      Event event = next.get();
      output.print(event.data(), printed::add);
      if (Ulid.isValid(event.id())) {
        printed.allUpTo(Ulid.parse(event.id()));
      }
      if (events.isDrained()) {
        output.flush();
      }
    }
    output.flush();
  }
}
