/**
 * Ingest segments that this store has leased: {@link io.cordwood.store.claim.ClaimPool} asks the
 * ingest nodes for them, {@link io.cordwood.store.claim.IngestClient} reads them, and {@link
 * io.cordwood.store.claim.CommitClient} says what became of them.
 */
@NullMarked
package io.cordwood.store.claim;

import org.jspecify.annotations.NullMarked;
