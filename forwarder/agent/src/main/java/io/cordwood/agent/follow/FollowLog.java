package io.cordwood.agent.follow;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A follower's messages to people. A message that each look would repeat is printed once, until it
 * is over. Owned by the follower's thread.
 */
public final class FollowLog {
  private static final int MOST_REMEMBERED = 10_000;

  private final Consumer<String> out;
  private final Set<String> said = new HashSet<>();

  public FollowLog(Consumer<String> out) {
    this.out = out;
  }

  void say(String line) {
    out.accept(line);
  }

  /** Whether it is new. */
  boolean sayOnce(String line) {
    if (said.size() >= MOST_REMEMBERED) {
      said.clear();
    }
    boolean isNew = said.add(line);
    if (isNew) {
      out.accept(line);
    }
    return isNew;
  }

  /** So that it is said again when it comes again. */
  void over(String line) {
    said.remove(line);
  }
}
