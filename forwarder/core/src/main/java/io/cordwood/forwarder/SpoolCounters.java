package io.cordwood.forwarder;

/**
 * The figures of a forwarder's spool; all nought where there is none.
 *
 * @param recovered records that earlier forwarders had left
 * @param records on the disk and not in memory; forced
 * @param bytes of its files
 * @param damagedBytes that are of no whole batch, or were not written whole before a crash
 * @param unreadableFiles that could not be read, and are left there for the next start
 * @param failures to open it, to write to it or to read it
 */
public record SpoolCounters(
    long recovered,
    long records,
    long bytes,
    long damagedBytes,
    long unreadableFiles,
    long failures) {}
