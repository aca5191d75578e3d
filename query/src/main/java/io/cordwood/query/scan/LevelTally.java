package io.cordwood.query.scan;

import io.cordwood.query.fields.Level;

/**
 * Counts a batch's records by their {@link Level}. As bytes it is a {@link PatternTally}, with the
 * levels in place of patterns. One thread.
 */
final class LevelTally implements BatchTally {
  private final CountsByPosition counts = new CountsByPosition(Level.values().length);

  @Override
  public void add(byte[] bytes, int from, int end, byte delimiter) {
    counts.add(Level.of(bytes, from, end).position());
  }

  @Override
  public boolean hasAny() {
    return counts.hasAny();
  }

  @Override
  public byte[] take() {
    return counts.take();
  }
}
