package io.cordwood.store.repair;

import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.replicate.ReplicaClient;

/** The parts of this store that all of a repair uses. */
record RepairContext(
    StoreOptions options,
    OwnSlices own,
    HoldingsClient holdings,
    ReplicaClient replicas,
    RepairMetrics metrics,
    StopFlag stop) {}
