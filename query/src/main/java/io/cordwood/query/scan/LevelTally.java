package io.cordwood.query.scan;

import io.cordwood.query.fields.Level;
import io.cordwood.query.fields.LevelSkimmer;

/**
 * Counts a batch's records by their {@link Level}. As bytes it is a {@link PatternTally}, with the
 * levels in place of patterns. One thread.
 */
final class LevelTally extends PositionTally {
  private final LevelSkimmer skimmer = new LevelSkimmer();

  LevelTally() {
    super(Level.values().length);
  }

  @Override
  public void add(byte[] bytes, int from, int end, byte delimiter) {
    count(skimmer.level(bytes, from, end).position());
  }
}
