package io.cordwood.forwarder;

/**
 * The figures of a forwarder's spool; all nought where there is none.
 *
 * @param recovered records that earlier forwarders had left
 * @param records on the disk and not in memory; forced
 * @param bytes of its files
 * @param damagedBytes that could not be read, or were not written whole before a crash
 * @param failures to open it, to write to it or to read it
 */
public record SpoolCounters(
    long recovered, long records, long bytes, long damagedBytes, long failures) {}
