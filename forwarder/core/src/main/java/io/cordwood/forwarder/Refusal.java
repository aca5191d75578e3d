package io.cordwood.forwarder;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Says what to make of the end of a connection. A node that refuses a topic says so in a line that
 * has the word {@code topic} and ends with the topic's name; one that refuses a batch gives its
 * place, and one that refuses an upload for its size the most that it takes.
 *
 * @param topic the one that is refused, or that of the batch; null if it is not known or not the
 *     reason
 * @param mostBytes of an upload; for {@link RefusalReason#SIZE} alone
 */
record Refusal(RefusalReason reason, @Nullable String topic, int mostBytes) {
  private static final Pattern SIZE =
      Pattern.compile("error: expected an upload of at most (\\d{1,9}) bytes.*");
  private static final Pattern TOPIC = Pattern.compile("error: expected .*\\btopics?\\b.* (\\S+)");
  private static final Pattern BATCH = Pattern.compile("error: at byte \\d+: expected .*");
  private static final Pattern TOKEN = Pattern.compile("error: expected a (first line|token)\\b.*");
  private static final Pattern TLS = Pattern.compile("error: .*\\bTLS\\b.*");

  private static Refusal of(RefusalReason reason, @Nullable String topic) {
    return new Refusal(reason, topic, 0);
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
    Matcher topic = TOPIC.matcher(text);
    if (topic.matches()) {
      return of(RefusalReason.TOPIC, topic.group(1));
    }
    Matcher size = SIZE.matcher(text);
    if (size.matches()) {
      return new Refusal(RefusalReason.SIZE, null, Integer.parseInt(size.group(1)));
    }
    return of(
        BATCH.matcher(text).matches()
            ? RefusalReason.BATCH
            : TOKEN.matcher(text).matches()
                ? RefusalReason.TOKEN
                : TLS.matcher(text).matches() ? RefusalReason.TLS : RefusalReason.OTHER,
        null);
  }

  /**
   * The same of an upload.
   *
   * @param onlyTopic of its batch if it has no other, so that it cannot be cut; else null
   */
  Refusal ofUpload(@Nullable String onlyTopic) {
    return reason == RefusalReason.SIZE ? new Refusal(reason, onlyTopic, mostBytes) : this;
  }

  /** Whether smaller uploads may be taken. */
  boolean asksForLess() {
    return reason == RefusalReason.SIZE && topic == null;
  }

  /** Whether it stays so until somebody changes something, here or on the node. */
  boolean isFinal() {
    return reason != RefusalReason.BATCH && reason != RefusalReason.OTHER && !asksForLess();
  }
}
