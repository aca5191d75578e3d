package io.cordwood.ingest;

import io.cordwood.common.access.Caller;
import io.cordwood.common.access.DeniedException;
import io.cordwood.common.access.DeniedException.Reason;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.run.RateLimit;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rights of one connection: all, unless the node asks for tokens; else those of the token that
 * it has shown is for. For the connection's thread.
 */
public final class SenderRights {
  /** The message to a sender that has shown no token. */
  private static final String HOW =
      "expected a first line such as CORDWOOD/1 token=cw_…, since this node asks for a token;"
          + " found none";

  private static final String NO_TOPIC = "-";

  private static final int MAX_READ_BEFORE = 1 << 30;

  private final Admission admission;
  private final SeenSenders seen;
  private final String address;
  private final String port;
  private final MeterRegistry registry;
  private @Nullable String text;
  private @Nullable Token token;
  private @Nullable RateLimit rate;
  private @Nullable Object version;
  private int readBefore;
  private String lastTopic = NO_TOPIC;
  private SeenSenders.@Nullable Seen ofTopic;

  /**
   * The rights of a sender that has shown nothing yet.
   *
   * @param port or path that it sends to, for people
   */
  public SenderRights(Intake intake, String address, String port) {
    this.admission = intake.admission();
    this.seen = intake.seen();
    this.address = address;
    this.port = port;
    this.registry = intake.metrics().registry;
  }

  /** The rights of a caller that was admitted already. */
  public SenderRights of(Caller caller) {
    take(caller.token());
    return this;
  }

  /**
   * Shows a token, or that there is none.
   *
   * @throws RefusedException if that is not enough
   */
  public void show(Optional<String> shown) throws RefusedException {
    Tokens tokens = admission.tokens();
    if (tokens == null || (shown.isEmpty() && !admission.isClosed())) {
      return;
    }
    if (shown.isEmpty()) {
      throw refusal(new DeniedException(Reason.MISSING, HOW));
    }
    text = shown.get();
    admit(tokens, shown.get());
  }

  private void admit(Tokens tokens, String shown) throws RefusedException {
    try {
      version = tokens.version();
      take(tokens.admit(shown, Scope.INGEST).token());
    } catch (DeniedException e) {
      throw refusal(e);
    }
  }

  private void take(Optional<Token> shown) {
    token = shown.orElse(null);
    rate = shown.map(admission::rate).orElse(null);
    if (rate != null) {
      // Paid by what comes next, of this connection or another one.
      var _ = rate.nanosToWait(readBefore);
      readBefore = 0;
    }
  }

  /**
   * Looks whether the token is still valid.
   *
   * @throws RefusedException if it is not: it was removed, or has expired
   */
  public void check() throws RefusedException {
    Tokens tokens = admission.tokens();
    if (tokens != null && text != null && token != null) {
      if (!tokens.version().equals(version) || tokens.isExpired(token)) {
        admit(tokens, text);
      }
    }
  }

  /**
   * Looks whether a topic may be sent.
   *
   * @throws RefusedException if not
   */
  public void check(Topic topic) throws RefusedException {
    if (token != null && !token.topics().contain(topic.name())) {
      throw refusal(
          new DeniedException(
              Reason.TOPIC,
              "expected a topic of the token " + token.name() + ", found " + topic.name()));
    }
  }

  /**
   * Looks whether records with these labels may be sent.
   *
   * @throws RefusedException if not
   */
  public void check(Labels labels) throws RefusedException {
    if (token != null && !token.admits(labels)) {
      throw refusal(
          new DeniedException(
              Reason.TOPIC,
              "expected labels of the token "
                  + token.name()
                  + ", found others, named "
                  + labels.pairs().keySet()));
    }
  }

  /** How long to read nothing after that many bytes. */
  public long nanosToWait(int bytes) {
    if (rate == null) {
      readBefore = (int) Math.min((long) readBefore + bytes, MAX_READ_BEFORE);
      return 0;
    }
    return rate.nanosToWait(bytes);
  }

  /** Counts that its sender has to wait for what its token may send. */
  public void throttled() {
    if (token != null) {
      registry
          .counter(IngestMetrics.PREFIX + "token_pauses_total", "token", token.name())
          .increment();
    }
  }

  /** Whether its senders are read at a rate. */
  public boolean hasRate() {
    return token != null && token.ingestBytesPerSecond() != Token.NO_RATE;
  }

  /** Tells people that records of a topic came from this sender, be they stored or not. */
  public void received(String topic, long records, long bytes) {
    if (ofTopic == null || !topic.equals(lastTopic)) {
      lastTopic = topic;
      ofTopic = seen.of(address, port, topic);
    }
    ofTopic.received(records, bytes);
  }

  /** Tells people that this sender was refused. */
  public void refused(String why) {
    seen.refused(address, port, NO_TOPIC, why);
  }

  public boolean hasShown() {
    return token != null;
  }

  /** The refusal of a sender that shows no token in time. */
  public RefusedException tooLate() {
    return refusal(new DeniedException(Reason.MISSING, HOW + " for too long"));
  }

  private RefusedException refusal(DeniedException why) {
    if (admission.refusals() != null) {
      admission.refusals().add(token == null ? "-" : token.name(), address, port, why);
    }
    return new RefusedException(RejectReason.TOKEN, String.valueOf(why.getMessage()));
  }
}
