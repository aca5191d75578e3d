package io.cordwood.query.scan;

/**
 * Limits on what a node keeps from its queries so that later ones read less.
 *
 * @param hotBytes memory for decompressed blocks, which the OS may take back; 0 for none
 * @param missesBytes memory for the knowledge which blocks had no match, and as much for what was
 *     counted in blocks; 0 for none
 */
public record QueryCaches(long hotBytes, long missesBytes) {
  public static final QueryCaches NONE = new QueryCaches(0, 0);
}
