package io.cordwood.store.repair;

import io.cordwood.store.Neighbours;
import io.cordwood.store.Stopping;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.segment.StoreLog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What the parts of a repair share.
 *
 * @param copies that there should be of each batch
 * @param hints slices to look at before all others
 * @param horizon the time before which records may be gone from this store
 */
record Repairing(
    StoreOptions options,
    int copies,
    StoreLog log,
    Neighbours neighbours,
    Fingerprints fingerprints,
    Hints hints,
    HoldingsClient holdings,
    ReplicaClient replicas,
    Supplier<Instant> horizon,
    RepairMetrics metrics,
    ReplicatedFrom replicatedFrom,
    Stopping stopping,
    InstantSource clock) {}
