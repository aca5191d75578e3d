package io.cordwood.common.segment;

/**
 * How a block was stored at first: two blocks for which everything else is the same, and this, hold
 * the same batches, even if one of them was settled since.
 *
 * @param bytes of the whole block
 * @param checksum of its stored body
 */
public record FirstForm(int bytes, int checksum) {}
