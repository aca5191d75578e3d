package io.cordwood.ingest;

import java.time.InstantSource;

/** What all listeners and connections of one node share; safe for all threads. */
record IngestParts(
    IngestOptions options,
    IngestLog segments,
    Flusher flusher,
    DiskSpace space,
    IngestMetrics metrics,
    HeldBytes held,
    OpenConnections connections,
    RateLimit rate,
    InstantSource clock) {}
