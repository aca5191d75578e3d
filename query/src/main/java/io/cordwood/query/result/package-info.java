/**
 * The findings: {@link io.cordwood.query.result.BlockHits} for a {@link
 * io.cordwood.query.result.HitSink}, how much was searched, and why a search stopped.
 */
@NullMarked
package io.cordwood.query.result;

import org.jspecify.annotations.NullMarked;
