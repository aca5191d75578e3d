package io.cordwood.store;

/**
 * The totals of a gather.
 *
 * @param bytes of the ingest segments, headers and damage included
 * @param records of intact batches that could be stored, duplicates included
 * @param damagedBytes that were not batches, or batches that could not be stored
 */
public record PullTotals(
    int segments,
    long bytes,
    long records,
    long duplicateRecords,
    long damagedBytes,
    int poisonBatches) {}
