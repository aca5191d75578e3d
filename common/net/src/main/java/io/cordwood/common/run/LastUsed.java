package io.cordwood.common.run;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of the entries that were used last, which forgets the others. Not for several threads. */
public final class LastUsed<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int most;

  /**
   * @param most entries that there may be
   */
  public LastUsed(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
