/**
 * Whether all that should be there is there, on this disk and on other stores, and what brings it
 * back: scrubbing, fingerprints of time slices, copies and fetches. {@link
 * io.cordwood.store.repair.MaintenanceThreads} runs it, and {@code keep}. May know {@code keep},
 * {@code replicate} and what is below them.
 */
@NullMarked
package io.cordwood.store.repair;

import org.jspecify.annotations.NullMarked;
