package io.cordwood.store;

/**
 * What a gather holds.
 *
 * @param bytes of the ingest segments, headers and damage included
 * @param records of intact batches, duplicates included
 */
public record GatherTotals(
    int segments, long bytes, long records, long duplicateRecords, long damagedBytes) {}
