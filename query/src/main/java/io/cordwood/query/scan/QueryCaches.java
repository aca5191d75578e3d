package io.cordwood.query.scan;

/**
 * What a node may keep of its queries, so that those after them read less.
 *
 * @param hot disk for decompressed blocks
 * @param missesBytes memory for which blocks held no match; 0 for none
 */
public record QueryCaches(HotSpace hot, long missesBytes) {
  public static final QueryCaches NONE = new QueryCaches(HotSpace.NONE, 0);
}
