package io.cordwood.ingest.segment;

import io.cordwood.common.run.RateLimit;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.OpenConnections;
import java.time.InstantSource;

/** The state shared by all listeners and connections of one node; safe for all threads. */
public record IngestContext(
    IngestOptions options,
    IngestLog segments,
    Flusher flusher,
    DiskSpace space,
    IngestMetrics metrics,
    BufferedBytesLimit held,
    OpenConnections connections,
    RateLimit rate,
    Admission admission,
    InstantSource clock) {}
