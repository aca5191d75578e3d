/**
 * Segments on the disk, and the log of those that queries see: how they are written, exchanged for
 * others and read in order, and what the start makes of a folder in any state. What all others work
 * on, so much of it is public. Knows {@code store} alone.
 */
@NullMarked
package io.cordwood.store.segment;

import org.jspecify.annotations.NullMarked;
