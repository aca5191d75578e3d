package io.cordwood.query.request;

/** Topics were asked for that whoever asks may not know of. */
public final class TopicsDeniedException extends Exception {
  private static final long serialVersionUID = 1;

  TopicsDeniedException() {
    super("topics of others", null, false, false);
  }
}
