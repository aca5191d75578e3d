package io.cordwood.forwarder;

import io.cordwood.common.wire.Origin;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Says what to make of the end of a connection. A node that refuses a topic says so in a line that
 * has the word {@code topic} and ends with the topic's name; one that refuses a batch gives its
 * place, and one that refuses an upload for its size the most that it takes. A batch, or the labels
 * of one, are those of the first that is not acknowledged.
 *
 * @param origin what is refused; null if it is not known or not the reason
 * @param mostBytes of an upload that is made smaller
 */
record Refusal(RefusalReason reason, @Nullable RefusedOrigin origin, int mostBytes) {
  private static final Pattern SIZE =
      Pattern.compile("error: expected an upload of at most (\\d{1,9}) bytes.*");
  private static final Pattern LABELS = Pattern.compile("error: expected labels of .*");
  private static final Pattern TOPIC = Pattern.compile("error: expected .*\\btopics?\\b.* (\\S+)");
  private static final Pattern BATCH = Pattern.compile("error: at byte \\d+: expected .*");
  private static final Pattern TOKEN =
      Pattern.compile("error: (expected a (first line|token)|.* asks for a token)\\b.*");
  private static final Pattern OTHER_PORT =
      Pattern.compile("error: .*\\bfor the fast, durable or bulk port");

  /** The first one that matches says it: some words are in several of them. */
  private static final List<Map.Entry<Pattern, RefusalReason>> NAMED =
      List.of(
          Map.entry(LABELS, RefusalReason.LABELS),
          Map.entry(TOKEN, RefusalReason.TOKEN),
          Map.entry(OTHER_PORT, RefusalReason.FOREIGN),
          Map.entry(BATCH, RefusalReason.BATCH));

  private static final Pattern TLS = Pattern.compile("error: .*\\bTLS\\b.*");

  private static Refusal of(RefusalReason reason, @Nullable RefusedOrigin origin) {
    return new Refusal(reason, origin, 0);
  }

  /** Null for a target that could not be reached. */
  static @Nullable Refusal ofConnecting(Exception failure) {
    return failure instanceof SSLException ? of(RefusalReason.TLS, null) : null;
  }

  /** Null for a connection that was lost, and not refused. */
  static @Nullable Refusal of(Exception end) {
    if (!(end instanceof PeerException said)) {
      return null;
    }
    String text = String.valueOf(said.getMessage());
    return said.isForeign()
        ? of(RefusalReason.FOREIGN, null)
        : text.startsWith("error:") ? said(text) : null;
  }

  private static Refusal said(String text) {
    Matcher size = SIZE.matcher(text);
    if (size.matches()) {
      return new Refusal(RefusalReason.SIZE, null, Integer.parseInt(size.group(1)));
    }
    Matcher topic = TOPIC.matcher(text);
    RefusalReason named = named(text); // its words may be those of a token's name
    return named == null && topic.matches()
        ? of(RefusalReason.TOPIC, RefusedOrigin.ofTopic(topic.group(1)))
        : of(named != null ? named : isTls(text) ? RefusalReason.TLS : RefusalReason.OTHER, null);
  }

  private static @Nullable RefusalReason named(String text) {
    return NAMED.stream()
        .filter(each -> each.getKey().matcher(text).matches())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static boolean isTls(String text) {
    return TLS.matcher(text).matches();
  }

  /** Ties it to the first batch that is not acknowledged. */
  Refusal ofBatch(Origin first) {
    return switch (reason) {
      case SIZE, BATCH -> new Refusal(reason, RefusedOrigin.ofTopic(first.topic()), mostBytes);
      case LABELS -> of(reason, RefusedOrigin.of(first));
      default -> this;
    };
  }

  /** Ties it to an upload of several batches, any of which it may concern. */
  Refusal ofSeveral() {
    boolean isOfOne = reason == RefusalReason.BATCH || reason == RefusalReason.LABELS;
    return isOfOne ? new Refusal(reason, null, 1) : this;
  }

  /** Whether smaller uploads may be taken. */
  boolean asksForLess() {
    return origin == null && (reason == RefusalReason.SIZE || mostBytes > 0);
  }

  /** Whether it stays so until somebody changes something, here or on the node. */
  boolean isFinal() {
    return reason != RefusalReason.BATCH && reason != RefusalReason.OTHER && !asksForLess();
  }
}
