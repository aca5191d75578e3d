/**
 * From claimed ingest segments to a segment on enough stores: pulls, the merge, the copies, and the
 * commits. May know {@code claim}, {@code replicate} and what is below these.
 */
@NullMarked
package io.cordwood.store.consume;

import org.jspecify.annotations.NullMarked;
