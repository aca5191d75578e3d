package io.cordwood.query.scan;

/**
 * What a node may keep of its queries, so that those after them read less.
 *
 * @param hotBytes memory for decompressed blocks, which the OS may take back; 0 for none
 * @param missesBytes memory for which blocks held no match; 0 for none
 */
public record QueryCaches(long hotBytes, long missesBytes) {
  public static final QueryCaches NONE = new QueryCaches(0, 0);
}
