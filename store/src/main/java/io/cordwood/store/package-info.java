/**
 * The store tier: consumes ingest segments, keeps, compacts and retains store segments. {@code
 * node} puts its parts together. Here is what all of them share, and knows none of them: options,
 * who is there besides, how to wait and when to stop, and what is counted.
 */
@NullMarked
package io.cordwood.store;

import org.jspecify.annotations.NullMarked;
