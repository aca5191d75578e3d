package io.cordwood.common.http.server;

/**
 * Whether a node can do its work now.
 *
 * @param ready whether requests should be sent here
 * @param reason one line that says why, or why not
 */
public record Health(boolean ready, String reason) {
  /** Ready, and nothing to add. */
  public static final Health OK = new Health(true, "ok");
}
