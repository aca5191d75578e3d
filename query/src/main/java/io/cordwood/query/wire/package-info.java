/**
 * The protocol between nodes: a question about one tier, and the frames that answer it. Knows
 * {@code query} and {@code match} alone.
 */
@NullMarked
package io.cordwood.query.wire;

import org.jspecify.annotations.NullMarked;
