/**
 * From ingest nodes to a segment on enough stores: claims, pulls, the merge, and the settlement of
 * the claims. May know {@code replicate} and what is below it.
 */
@NullMarked
package io.cordwood.store.consume;

import org.jspecify.annotations.NullMarked;
