package io.cordwood.forwarder;

import io.cordwood.common.wire.Hint;
import io.cordwood.common.wire.Load;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The words of one connection's node about itself and about others. Lines that cannot be read, and
 * nodes beyond a bound, are passed over and counted: a bad hint never costs a connection. For one
 * thread at a time.
 */
final class AdvertisedNodes {
  static final int MAX = 64;

  private final boolean tls;
  private final Map<String, Other> others = new HashMap<>();
  private Hint.@Nullable Self self;
  private @Nullable String go;
  private boolean hasNews;
  private long ignored;

  /** Another node, and where it is connected to. */
  record Other(String id, Target address, Load load) {}

  /**
   * @param tls whether TLS is spoken on the connection, and so would be with the others
   */
  AdvertisedNodes(boolean tls) {
    this.tls = tls;
  }

  void read(String line) {
    Hint hint = Hint.parse(line);
    if (hint instanceof Hint.Self told) {
      self = told;
    } else if (hint instanceof Hint.Go told) {
      go = told.id();
    } else if (!(hint instanceof Hint.Other told && take(told))) {
      ignored++;
    }
  }

  private boolean take(Hint.Other told) {
    if (others.size() >= MAX && !isKnown(told.id())) {
      return false;
    }
    try {
      Target at = Target.parse(told.address(), 0);
      Target address = new Target(at.host(), at.port(), tls);
      others.put(told.id(), new Other(told.id(), address, told.load()));
      hasNews = true;
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean isKnown(String id) {
    return others.containsKey(id);
  }

  /** The node's latest words about itself; null before the first. */
  Hint.@Nullable Self self() {
    return self;
  }

  boolean isAboutSelf(String id) {
    return self != null && self.id().equals(id);
  }

  /** The node that it was said to go to, once; null if none was, or one that it was not told of. */
  @Nullable Other takeGo() {
    String id = go;
    go = null;
    return id == null || isAboutSelf(id) ? null : others.get(id);
  }

  /** Whether the sender is asked to leave; without taking it. */
  boolean hasGo() {
    return go != null;
  }

  /** The others that were told of since this was called last. */
  Map<String, Other> takeNews() {
    if (!hasNews) {
      return Map.of();
    }
    hasNews = false;
    Map<String, Other> news = new HashMap<>(others);
    if (self != null) {
      news.remove(self.id());
    }
    return news;
  }

  /** Lines passed over since this was called last. */
  long takeIgnored() {
    long count = ignored;
    ignored = 0;
    return count;
  }
}
