/**
 * The search of one node in its own segments: blocks are chosen by the index, scanned in parallel
 * and fairly, and their hits merged in ULID order; or what the index says, where that is all that
 * is asked. Knows {@code query} and {@code match} alone.
 */
@NullMarked
package io.cordwood.query.scan;

import org.jspecify.annotations.NullMarked;
