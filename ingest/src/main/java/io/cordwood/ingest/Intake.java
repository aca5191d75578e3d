package io.cordwood.ingest;

import io.cordwood.common.run.RateLimit;
import java.time.InstantSource;

/**
 * Decides who may send to a node and how much at once, and counts that; shared by all ports, which
 * pass what they take on to the disk. Safe for all threads.
 *
 * @param rate at which all senders together are read
 */
public record Intake(
    IngestOptions options,
    Admission admission,
    OpenConnections connections,
    BufferedBytesLimit held,
    RateLimit rate,
    IngestMetrics metrics,
    SeenSenders seen,
    InstantSource clock) {}
