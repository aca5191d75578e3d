/**
 * What was received and no store has committed, as others get it: stores claim it by the segment
 * API, queries read it, followers are given it as it arrives. Knows {@code segment} and {@code
 * ingest} alone.
 */
@NullMarked
package io.cordwood.ingest.unconsumed;

import org.jspecify.annotations.NullMarked;
