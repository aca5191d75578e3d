package io.cordwood.store.repair;

import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.replicate.Replicas;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The parts of this store that all of a repair uses.
 *
 * @param nanoTime that only ever goes on, as {@link System#nanoTime}
 */
record RepairContext(
    StoreOptions options,
    Contents own,
    Holdings holdings,
    Replicas replicas,
    RandomGenerator random,
    LongSupplier nanoTime,
    RepairMetrics metrics,
    StopFlag stop) {}
