/** The upload of a store's records to a bucket. May know {@code segment}. */
@NullMarked
package io.cordwood.store.cold;

import org.jspecify.annotations.NullMarked;
