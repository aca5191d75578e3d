/**
 * Records that were received and that no store has committed, for others: stores claim them by the
 * segment API, queries read it, followers are given it as it arrives. Knows {@code segment} and
 * {@code ingest} alone.
 */
@NullMarked
package io.cordwood.ingest.unconsumed;

import org.jspecify.annotations.NullMarked;
