package io.cordwood.store.repair;

import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.segment.StoreLog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * The state shared by the parts of a repair.
 *
 * @param copies that there should be of each batch
 * @param hinted slices to look at before all others
 * @param horizon the time before which records may be gone from this store
 */
record RepairContext(
    StoreOptions options,
    int copies,
    StoreLog log,
    KnownPeers peers,
    Fingerprints fingerprints,
    HintedSlices hinted,
    HoldingsClient holdings,
    ReplicaClient replicas,
    Supplier<Instant> horizon,
    CopyAbility ability,
    RepairMetrics metrics,
    ReplicatedFrom replicatedFrom,
    KnownPartners partners,
    StopFlag stop,
    InstantSource clock) {}
