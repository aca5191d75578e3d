package io.cordwood.common.cluster;

import io.cordwood.common.file.Filesystem;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * Thread, clock and disk of a node's membership; a simulation has others.
 *
 * @param thread all that it does happens there, in order; ends with the node
 * @param lookUps runs look-ups of names, which may block
 * @param nanoTime as {@link System#nanoTime}
 * @param disk where the file of members is
 */
record Surroundings(
    ScheduledExecutorService thread,
    Executor lookUps,
    Resolver resolver,
    LongSupplier nanoTime,
    Filesystem disk) {

  static Surroundings real(Resolver resolver) {
    return new Surroundings(
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cordwood-cluster").factory()),
        lookUp -> Thread.ofVirtual().name("cordwood-look-up").start(lookUp),
        resolver,
        System::nanoTime,
        Filesystem.real());
  }
}
