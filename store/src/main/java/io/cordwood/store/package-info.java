/** The store tier: consumes ingest segments, keeps, compacts and retains store segments. */
@NullMarked
package io.cordwood.store;

import org.jspecify.annotations.NullMarked;
