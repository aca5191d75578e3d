/**
 * The only thread that takes segments away, the keeper, with what it does: compaction, settling,
 * retention, and the salvage of what was damaged. Knows {@code segment} and {@code store} alone.
 */
@NullMarked
package io.cordwood.store.keep;

import org.jspecify.annotations.NullMarked;
