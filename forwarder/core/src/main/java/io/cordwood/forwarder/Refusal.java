package io.cordwood.forwarder;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Says what to make of the end of a connection. A node that refuses a topic says so in a line that
 * has the word {@code topic} and ends with the topic's name; one that refuses a batch gives its
 * place.
 *
 * @param topic the one that is refused; null if it is not known or not the reason
 */
record Refusal(RefusalReason reason, @Nullable String topic) {
  private static final Pattern TOPIC = Pattern.compile("error: expected .*\\btopics?\\b.* (\\S+)");
  private static final Pattern BATCH = Pattern.compile("error: at byte \\d+: expected .*");
  private static final Pattern TOKEN = Pattern.compile("error: expected a (first line|token)\\b.*");
  private static final Pattern TLS = Pattern.compile("error: .*\\bTLS\\b.*");

  /** Null for a target that could not be reached. */
  static @Nullable Refusal ofConnecting(Exception failure) {
    return failure instanceof SSLException ? new Refusal(RefusalReason.TLS, null) : null;
  }

  /** Null for a connection that was lost, and not refused. */
  static @Nullable Refusal of(Exception end) {
    if (!(end instanceof PeerException said)) {
      return null;
    }
    String text = String.valueOf(said.getMessage());
    return said.isForeign()
        ? new Refusal(RefusalReason.FOREIGN, null)
        : text.startsWith("error:") ? said(text) : null;
  }

  private static Refusal said(String text) {
    Matcher topic = TOPIC.matcher(text);
    if (topic.matches()) {
      return new Refusal(RefusalReason.TOPIC, topic.group(1));
    }
    return new Refusal(
        BATCH.matcher(text).matches()
            ? RefusalReason.BATCH
            : TOKEN.matcher(text).matches()
                ? RefusalReason.TOKEN
                : TLS.matcher(text).matches() ? RefusalReason.TLS : RefusalReason.OTHER,
        null);
  }
}
